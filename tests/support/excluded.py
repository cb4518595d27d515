"""The pages of a tree that the settings of another system exclude."""

from pathlib import Path

from ranvier_builder.read.outline import read_outline

from support.content import write_tree


def assert_excluded(folder: Path, settings: dict[str, str], base: str, excluded: list[str], pages: list[str]) -> None:
    """Assert that settings exclude these files and no page: in their folder, and in the folder `base` below it."""
    root = write_tree(folder, settings | {path: "# A\n" for path in (*excluded, *pages) if path not in settings})
    (root / "content").mkdir(exist_ok=True)
    for place in {base, "."}:
        names = [path.relative_to(root / place).as_posix() for path in (root / place).rglob("*.*md*") if path.is_file()]
        outline = read_outline(root / place, names)
        assert {f"{place}/{path}".removeprefix("./") for path in outline.excluded} == {*excluded}
