"""What the browser runs: the ES modules, the theme's files, Pyodide and the packed core, under names that change with them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from ranvier.store.format import digest
from ranvier.text import primary, stemmer_of
from ranvier_themes import theme_path

from ranvier_builder.engine import engine_files

_NAME = 6  # bytes of a digest in a folder's name: it tells versions apart; the manifest holds each file's digest
_NOT_SERVED = ("vendor", "__pycache__")

# Pure-Python packages that the core imports, and of each only what it imports. `None`: the package's own `__init__` would load
# what a browser does not need (every language's stemmer), so an empty one takes its place.
_BUNDLED: dict[str, tuple[str, ...]] = {
    "msgpack": ("__init__.py", "exceptions.py", "ext.py", "fallback.py"),
    "snowballstemmer": ("among.py", "basestemmer.py"),
}
_WORDS = "ranvier/text/function_words/"  # a module for each language
_EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Assets:
    """Names under the base, and every file by its name there."""

    web: str
    theme: str
    engine: str
    core: str
    files: dict[str, Path]


def write_assets(
    base: Path, theme: str, progress: Callable[[str], None] | None = None, langs: Iterable[str] = ("en",)
) -> Assets:
    """Put everything that a browser runs below `base`; `langs` are those that the site's Neurons are written in."""
    engine = engine_files(progress)
    web = _put(base, "web", dict(_tree(files("ranvier_web"), (".js", ".css"))))
    look = _put(base, "theme", dict(_tree(theme_path(theme) / "static", None)))
    engine_name = _put(base, "engine", {path.name: path.read_bytes() for path in engine.paths})
    data = pack_core(langs)
    core = f"core-{digest(data)[:_NAME].hex()}.zip"
    (base / core).write_bytes(data)
    written = {path.relative_to(base).as_posix(): path for path in sorted(base.rglob("*")) if path.is_file()}
    return Assets(web, look, engine_name, core, written)


def pack_core(langs: Iterable[str] = ("en",)) -> bytes:
    """Zip the installed core with what it imports: stored, sorted, without dates, so that the same code is the same bytes.

    Of the stemmers and word lists only those of `langs` (BCP 47) travel, English always: words in any script may be English.
    """
    langs = ("en", *langs)
    members = dict(_tree(files("ranvier"), (".py", ".sql"), "ranvier/"))
    kept = {f"{_WORDS}{name}.py" for name in ("__init__", *map(primary, langs))}
    members = {name: data for name, data in members.items() if not name.startswith(_WORDS) or name in kept}
    stemmers = {name for lang in langs if (name := stemmer_of(lang))}
    bundled = _BUNDLED | {"snowballstemmer": (*_BUNDLED["snowballstemmer"], *(f"{name}_stemmer.py" for name in stemmers))}
    for package, names in bundled.items():
        members |= {f"{package}/{name}": (files(package) / name).read_bytes() for name in names}
        members.setdefault(f"{package}/__init__.py", b"")
    # A server reads folders; a browser has none.
    del members["ranvier/store/source.py"]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(members):
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), members[name])
    return out.getvalue()


def _tree(folder: Traversable, endings: tuple[str, ...] | None, prefix: str = "") -> Iterator[tuple[str, bytes]]:
    for item in sorted(folder.iterdir(), key=lambda one: one.name):
        if item.is_dir():
            if item.name not in _NOT_SERVED:
                yield from _tree(item, endings, f"{prefix}{item.name}/")
        elif endings is None or item.name.endswith(endings):
            yield f"{prefix}{item.name}", item.read_bytes()


def _put(base: Path, kind: str, contents: dict[str, bytes]) -> str:
    """Write a folder named by all that is in it, so that the files can name each other as they were written."""
    listing = b"".join(name.encode() + b"\0" + digest(data) for name, data in sorted(contents.items()))
    folder = f"{kind}-{digest(listing)[:_NAME].hex()}"
    for name, data in sorted(contents.items()):
        target = base / folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return folder
