"""A7: a public site with encrypted layers."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from unittest.mock import patch

import pytest
from cryptography.exceptions import InvalidTag
from leaks.tree import CONFIG, garden
from ranvier_builder import publish
from ranvier_builder.check.against import check_against
from ranvier_builder.check.site import check_site
from ranvier_builder.errors import BuildError, ConfigError
from ranvier_builder.layers import key_file
from ranvier_builder.layers.build import build_layers, layer_audiences
from ranvier_builder.model import Report
from ranvier_builder.pipeline import Stages
from support.content import build_without_engine, read_tree, stub_assets
from support.layers import OpenLayer, unlocked

ANNA, TOM = "correct horse battery", "the passphrase of tom"
AUDIENCES = ("public", "tool", "curator")
# Words of withheld pages: of the tool's page, and of curators' pages.
TOOL_WORDS = ("Wispdrake", "roses at four", "tool/agents")
CURATOR_WORDS = ("Lanternfold", "Copperfinch", "merger", "zephyrine", "Glassmoor", "Silverbriar", "秘密の庭", "Nightwillow")


Plain = Callable[[str], dict[str, bytes]]


@dataclass(frozen=True)
class Layered:
    content: Path
    out: Path
    keys: Path
    reports: list[Report]

    def layer(self, passphrase: str) -> OpenLayer:
        layer = unlocked(self.out / "_ranvier", passphrase)
        assert layer
        return layer


def sealed_build(content: Path, out: Path, keys: Path, hidden_layers: str = "") -> list[Report]:
    config = replace(CONFIG, unlock=hidden_layers, search=replace(CONFIG.search, vectors=False))
    with patch.object(publish, "write_assets", stub_assets):
        return build_layers(content, out, config, AUDIENCES, keys)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Layered:
    folder = tmp_path_factory.mktemp("layers")
    with patch.object(key_file, "ITERATIONS", 1000):
        layers = key_file.add_slot(key_file.add_slot({}, "curator", "anna", ANNA), "tool", "tom", TOM)
    keys = folder / "keys.json"
    key_file.write_keys(keys, layers)
    content = garden(folder / "content")
    return Layered(content, folder / "out", keys, sealed_build(content, folder / "out", keys))


@pytest.fixture(scope="module")
def plain(site: Layered, tmp_path_factory: pytest.TempPathFactory) -> Plain:
    """The files of the build of an audience."""

    @cache
    def plain(audience: str) -> dict[str, bytes]:
        into = tmp_path_factory.mktemp("plain") / audience
        build_without_engine(site.content, into, replace(CONFIG, publish_for=audience))
        return read_tree(into)

    return lambda audience: dict(plain(audience))


def test_public_part_is_the_public_build(site: Layered, plain: Plain) -> None:
    """A7: only one line of the entry file differs."""
    site_files = {name: data for name, data in read_tree(site.out).items() if not name.startswith("_ranvier/layers/")}
    public = plain("public")
    entry = json.loads(site_files.pop("_ranvier/entry.json"))
    assert entry.pop("locked") == "layers/locked.json"
    assert entry == json.loads(public.pop("_ranvier/entry.json"))
    assert site_files == public


def test_hidden_layers_leave_the_public_build_unchanged(site: Layered, plain: Plain, tmp_path: Path) -> None:
    """A7: neither the entry file nor the list of written files names them."""
    sealed_build(site.content, tmp_path / "out", site.keys, hidden_layers="moon-7")
    site_files = {name: data for name, data in read_tree(tmp_path / "out").items() if not name.startswith("_ranvier/layers/")}
    assert site_files == plain("public")
    assert unlocked(tmp_path / "out/_ranvier", ANNA, "moon-7") is not None


@pytest.mark.parametrize(("passphrase", "audience"), [(TOM, "tool"), (ANNA, "curator")])
def test_layer_is_the_build_of_its_audience(
    site: Layered, plain: Plain, tmp_path: Path, passphrase: str, audience: str
) -> None:
    """A7: files that the public site has too are not encrypted again."""
    both = Path(shutil.copytree(site.out, tmp_path / "both", ignore=shutil.ignore_patterns("layers")))
    layer = site.layer(passphrase)
    layer.write_to(both)
    expected = plain(audience)
    del expected["_ranvier/written.txt"]
    files = read_tree(both)
    assert {name: files[name] for name in expected} == expected
    assert layer.directory["audience"] == audience


def test_directory_names_the_audience_of_pages(site: Layered) -> None:
    tool, curator = site.layer(TOM).directory["pages"], site.layer(ANNA).directory["pages"]
    assert tool == {"tool/agents/": "tool"}
    assert curator["tool/agents/"] == "tool"
    assert curator["plans/merger/"] == "curator"
    assert not {"", "guide/planting/"} & curator.keys()


def test_directory_names_the_files_of_the_public_site(site: Layered) -> None:
    """A private page links to no other address."""
    public = set(site.layer(ANNA).directory["public"])
    assert public <= {*read_tree(site.out)}
    assert {"index.html", "guide/planting/index.html"} <= public
    assert not [path for path in public if path.startswith("_ranvier/") or "merger" in path]


def test_directory_has_the_bytes_of_each_file(site: Layered) -> None:
    """So a file of another build is detected."""
    layer = site.layer(ANNA)
    on_disk = read_tree(layer.folder)
    for path, (size, mark) in layer.directory["files"].items():
        data = on_disk.pop(layer.name(path))
        assert (len(data), data[:6].hex()) == (size, mark)
    assert [*on_disk] == [layer.name("")]


def test_nothing_of_a_layer_is_readable(site: Layered, plain: Plain) -> None:
    """A7: no word in any file or name; the plain build of the audience has each of them."""
    for words, audience in ((TOOL_WORDS, "tool"), (CURATOR_WORDS, "curator")):
        readable = b"\n".join(name.encode() + b"\n" + data for name, data in plain(audience).items())
        layer_bytes = b"\n".join(name.encode() + b"\n" + data for name, data in read_tree(site.out).items())
        assert [word for word in words if word.encode() not in readable] == []
        assert [word for word in words if word.encode() in layer_bytes] == []


def test_lower_key_reads_nothing_of_a_higher_layer(site: Layered) -> None:
    """A7: the directory and the files of the tool's layer have no word of curators, and its key opens no other file."""
    tool, curator = site.layer(TOM), site.layer(ANNA)
    texts = b"\n".join([json.dumps(tool.directory, ensure_ascii=False).encode(), *map(tool.read, tool.directory["files"])])
    assert [word for word in TOOL_WORDS if word.encode() not in texts] == []
    assert [word for word in CURATOR_WORDS if word.encode() in texts] == []
    wrong = OpenLayer(Path("nowhere"), curator.id, tool.key)
    for path in ("", "index.html"):
        with pytest.raises(InvalidTag):
            wrong.open(path, (curator.folder / curator.name(path)).read_bytes())


def test_second_build_has_the_same_bytes(site: Layered, tmp_path: Path) -> None:
    sealed_build(site.content, tmp_path / "out", site.keys)
    assert read_tree(tmp_path / "out") == read_tree(site.out)


def test_unchanged_files_keep_their_bytes(site: Layered, tmp_path: Path) -> None:
    content = Path(shutil.copytree(site.content, tmp_path / "content"))
    (content / "short.md").write_text("---\naudience: curator\n---\nSilverbriar again\n")
    sealed_build(content, tmp_path / "out", site.keys)
    before, after = read_tree(site.out / "_ranvier/layers"), read_tree(tmp_path / "out/_ranvier/layers")
    layer = site.layer(ANNA)
    page = f"{layer.id}/{layer.name('plans/merger/index.html')}"
    assert before[page] == after[page]
    changed_file = f"{layer.id}/{layer.name('short/index.html')}"
    assert before[changed_file] != after[changed_file]


def test_build_replaces_and_removes_older_layers(site: Layered, tmp_path: Path) -> None:
    """After revoking, no file of the old key is left; a public build has no layers."""
    out, keys = Path(shutil.copytree(site.out, tmp_path / "out")), Path(shutil.copy(site.keys, tmp_path))
    layers = key_file.add_slot(key_file.read_keys(keys), "curator", "ben", "another passphrase")
    key_file.write_keys(keys, key_file.revoke_slot(layers, "anna"))
    sealed_build(site.content, out, keys)
    assert unlocked(out / "_ranvier", ANNA) is None
    assert not (out / "_ranvier/layers" / site.layer(ANNA).id).exists()
    build_without_engine(site.content, out, CONFIG)
    assert not (out / "_ranvier/layers").exists()


def test_failed_build_keeps_the_old_site(site: Layered, tmp_path: Path) -> None:
    out = Path(shutil.copytree(site.out, tmp_path / "out"))
    before = read_tree(out)
    content = tmp_path / "content"
    (content / "a").mkdir(parents=True)
    (content / "a/x.md").write_text("---\naudience: curator\n---\nOnly curators.\n")
    with pytest.raises(BuildError, match="nothing was published"):
        sealed_build(content, out, site.keys)
    assert read_tree(out) == before
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_check_compares_the_public_part(site: Layered, tmp_path: Path) -> None:
    """A7, A3: the layers are no leak; a changed public page is one."""
    config = replace(CONFIG, search=replace(CONFIG.search, vectors=False))
    out = Path(shutil.copytree(site.out, tmp_path / "out"))
    with patch.object(publish, "write_assets", stub_assets):
        before = check_against(out, site.content, Stages(config))
        (out / "index.html").write_text("<p>Silverbriar</p>")
        after = check_against(out, site.content, Stages(config))
    assert [finding for finding in before if finding.check == "leak"] == []
    assert {finding.file for finding in after if finding.check == "leak"} == {"index.html"}


@pytest.mark.parametrize("hidden", ["", "moon-7"])
def test_check_of_a_site_with_layers(site: Layered, tmp_path: Path, hidden: str) -> None:
    """M1: the check knows the encrypted files by their folder, and finds those of an older layer, and missing ones."""
    out = tmp_path / "out"
    sealed_build(site.content, out, site.keys, hidden)

    def findings() -> list[tuple[str, str]]:
        return [(finding.check, finding.file) for finding in check_site(out).findings]

    assert findings() == []
    layers = out / "_ranvier/layers"
    older, layer, *_ = (folder.name for folder in layers.iterdir() if folder.is_dir())
    older_file = next((layers / older).iterdir())
    for file in (layers / older).iterdir():
        if file != older_file:
            file.unlink()
    (layers / older).rename(layers / "0123456789abcdef")
    assert findings() == [("missing_file", f"layers/{older}/"), ("unnamed_file", f"layers/0123456789abcdef/{older_file.name}")]
    shutil.rmtree(layers / "0123456789abcdef")
    keys = layers / f"{hidden or 'locked'}.json"
    keys.write_text("{", "utf-8")
    assert ("damaged_file", f"layers/{keys.name}") in findings()
    keys.unlink()
    assert (("missing_file", "layers/locked.json") in findings()) is (not hidden)
    assert layer in str(findings())


def test_keys_inside_of_the_content_are_refused(site: Layered, tmp_path: Path) -> None:
    content = Path(shutil.copytree(site.content, tmp_path / "content"))
    keys = Path(shutil.copy(site.keys, content / "keys.json"))
    with pytest.raises(BuildError, match="the secret keys are inside of"):
        sealed_build(content, tmp_path / "out", keys)


def test_layer_without_a_key_is_refused(site: Layered, tmp_path: Path) -> None:
    keys = tmp_path / "keys.json"
    key_file.write_keys(keys, {"curator": key_file.read_keys(site.keys)["curator"]})
    with pytest.raises(BuildError, match="no passphrase opens the layer tool"):
        sealed_build(site.content, tmp_path / "out", keys)


def test_audiences_are_in_rising_order() -> None:
    assert layer_audiences("curator, public") == ("public", "curator")
    for wrong in ("public", "tool,curator", "public,friends"):
        with pytest.raises(ConfigError, match="--layers cannot be"):
            layer_audiences(wrong)


def test_padding_hides_sizes(site: Layered) -> None:
    """A7: few sizes for many files."""
    sizes = {len(data) for data in read_tree(site.layer(ANNA).folder).values()}
    assert len(sizes) < len(read_tree(site.layer(ANNA).folder)) / 2
