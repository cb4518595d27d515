"""Files for the browser: ES modules, theme, Pyodide and the packed core, under names that change with their content."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from ranvier.store.format import digest
from ranvier.text import primary, stemmer_of
from ranvier.text.languages import STEMMERS

from ranvier_builder.engine import engine_files, packed_scripts, runtime_files
from ranvier_builder.engine.trim_stdlib import pack
from ranvier_builder.package_files import read_files
from ranvier_builder.paths import files_below
from ranvier_builder.write.files import write_hashed

# bytes of the digest in a folder's name, to distinguish versions; the manifest holds the digest of each file
_DIGEST_BYTES = 6
_NOT_SERVED = ("vendor", "types", "__pycache__")

# Pure-Python packages that the core imports, and of each only the imported modules. A package without its own `__init__.py`
# here gets an empty one: its own would load modules that a browser does not need (stemmers of all languages).
_BUNDLED: dict[str, tuple[str, ...]] = {
    "msgpack": ("__init__.py", "exceptions.py", "ext.py", "fallback.py"),
    "snowballstemmer": ("among.py", "basestemmer.py"),
}
_WORDS = "ranvier/text/function_words/"  # a module for each language
# Modules that a browser does not need: they read folders, have only types, or suggest names, which JavaScript does there.
_SERVER_ONLY = ("sites.py", "store/source.py", "options.py", "suggest.py", "store/titles.py", "text/keys.py")
_LANGUAGES = "languages/"  # prefix of the members that a site publishes only if it has their language
_SECTION = b"archive"


@dataclass(frozen=True, slots=True)
class Assets:
    """Names below the base, and all files by these names. `langs` is None if there is no such file."""

    web: str
    theme: str
    engine: str
    core: str
    files: dict[str, Path]
    langs: str | None = None


def write_assets(base: Path, theme: Mapping[str, bytes], progress: Callable[[str], None], langs: Iterable[str]) -> Assets:
    """Write all files for the browser below `base`; `theme` has its static files, `langs` are the languages of the Neurons."""
    engine = engine_files(progress)
    web = write_folder(base, "web", packed_scripts(modules(), progress))
    theme_folder = write_folder(base, "theme", dict(theme))
    engine_name = write_folder(base, "engine", dict(published(path) for path in engine.published))
    core_modules, lang_modules = select(runtime_files(pack_sources(), engine, progress), langs)
    core = write_hashed(base, "core", as_module(core_modules), ".wasm", _DIGEST_BYTES)
    langs_file = write_hashed(base, "langs", as_module(lang_modules), ".wasm", _DIGEST_BYTES) if lang_modules else None
    files = {name: base / name for name in files_below(base)}
    return Assets(web, theme_folder, engine_name, core, files, langs_file)


def modules() -> dict[str, bytes]:
    """Return the browser's ES modules by name."""
    return dict(read_files(files("ranvier_web"), (".js",), skipped=_NOT_SERVED))


def published(path: Path) -> tuple[str, bytes]:
    """Return the published name and content of an engine file.

    Some hosts send `.mjs` with a type that browsers refuse; most send a zip uncompressed.
    """
    if path.suffix == ".zip":
        return f"{path.stem}.wasm", as_module(path.read_bytes())
    return re.sub(r"\.mjs$", ".js", path.name), path.read_bytes()


def as_module(archive: bytes) -> bytes:
    """Return a WebAssembly module with nothing but an archive in a custom section. Hosts compress modules, but no zip."""
    section = bytes([len(_SECTION)]) + _SECTION + archive
    return b"\0asm\1\0\0\0" + b"\0" + _leb128(len(section)) + section


def _leb128(number: int) -> bytes:
    """Return an unsigned number in the encoding of WebAssembly: seven bits a byte, the lowest first."""
    low, high = number & 127, number >> 7
    return bytes([low | 128]) + _leb128(high) if high else bytes([low])


def pack_sources() -> bytes:
    """Zip the installed core with its imports, and the modules of all languages: stored, sorted, without dates."""
    core = dict(read_files(files("ranvier"), (".py",), "ranvier/"))
    english = _stop_word_modules("en")
    members = {name: data for name, data in core.items() if not name.startswith(_WORDS) or name in english}
    for package, names in _BUNDLED.items():
        members |= {f"{package}/{name}": (files(package) / name).read_bytes() for name in names}
        members.setdefault(f"{package}/__init__.py", b"")
    for name in _SERVER_ONLY:
        del members[f"ranvier/{name}"]
    members |= _stemmers(("en",))
    words = {name: data for name, data in core.items() if name.startswith(_WORDS)}
    langs = {name: data for name, data in (words | _stemmers(STEMMERS)).items() if name not in members}
    return pack((members | {f"{_LANGUAGES}{name}": data for name, data in langs.items()}).items())


def select(archive: bytes, langs: Iterable[str]) -> tuple[bytes, bytes | None]:
    """Return an archive of the core, which is the same for all sites, and one of a site's languages (BCP 47), if it needs any.

    The core has the English stemmer and word list, because words in any script may be English.
    """
    langs = list(langs)
    names = {name.removesuffix(".py") for name in _stop_word_modules(*langs) | {*_stemmer_names(langs)}}
    with zipfile.ZipFile(io.BytesIO(archive)) as members:
        contents = {name: members.read(name) for name in members.namelist()}
    core = {name: data for name, data in contents.items() if not name.startswith(_LANGUAGES)}
    others = {name.removeprefix(_LANGUAGES): data for name, data in contents.items() if name.startswith(_LANGUAGES)}
    others = {name: data for name, data in others.items() if name.rpartition(".")[0] in names}
    return pack(core.items()), pack(others.items()) if others else None


def _stop_word_modules(*langs: str) -> set[str]:
    return {f"{_WORDS}{name}.py" for name in ("__init__", *map(primary, langs))}


def _stemmers(langs: Iterable[str]) -> dict[str, bytes]:
    return {name: (files("snowballstemmer") / name.rpartition("/")[2]).read_bytes() for name in _stemmer_names(langs)}


def _stemmer_names(langs: Iterable[str]) -> set[str]:
    return {f"snowballstemmer/{name}_stemmer.py" for lang in langs if (name := stemmer_of(lang))}


def write_folder(base: Path, kind: str, contents: Mapping[str, bytes]) -> str:
    """Write a folder named by a digest of all its files, so that the files can refer to each other; return its name."""
    listing = b"".join(name.encode() + b"\0" + digest(data) for name, data in sorted(contents.items()))
    folder = f"{kind}-{digest(listing)[:_DIGEST_BYTES].hex()}"
    for name, data in sorted(contents.items()):
        target = base / folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return folder
