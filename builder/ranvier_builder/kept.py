"""Files of earlier builds, which stay for a while: a page that is open asks for what the build that made it named.

Every build writes a list of its files, named by its digest, and a record of the builds whose files are there. What an earlier
build published must still be public. Where a page of it is not, no file of any earlier build stays: which of them say something
about it is not asked. The record and the lists say which files to look at, and nothing of what is in them: the leak check
searches all of these as strictly as the new build's.
"""

from __future__ import annotations

import json
import re
import shutil
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from ranvier.store.format import digest

from ranvier_builder.model import Rendered
from ranvier_builder.output import BUILDS, UNHASHED

# All names that a build gives; no list may name anything else.
_BY_DIGEST = re.compile(
    r"(?:(?:index|packs|text|vectors|words|titles)/|(?:manifest|hot|files|core|langs|snapshot)-)"
    r"([0-9a-f]{12,24})\.(?:bin|json|zip)"
)
_OF_THE_PROGRAM = re.compile(r"(?:web|theme|engine)-[0-9a-f]+/.+|(?:core|langs|snapshot)-[0-9a-f]+\.(?:bin|zip)", re.DOTALL)
_LIST = re.compile(r"files-[0-9a-f]{24}\.json")
_NONE = ": no file of an earlier build was kept"
_PAGE = 8  # bytes that tell one page from another
_Sizes = dict[str, int]
Lists = Mapping[str, frozenset[str]]  # name of an earlier build's list → all files of that build, the list among them


@dataclass(frozen=True, slots=True)
class Build:
    """One build, as the record has it."""

    files: str  # the name of its list
    audience: str  # for whom it was
    pages: frozenset[str]  # digests of what it showed in searches: pages, and notes of theirs that were shared

    def withdrawn(self, now: Build) -> str:
        """Say why its files must not be public any more; empty where they may."""
        if self.audience != now.audience:
            return "it was built for other readers"
        gone = len(self.pages - now.pages)
        said = "a page or a note that it published is" if gone == 1 else f"{gone:,} pages or notes that it published are"
        return f"{said} not public any more" if gone else ""


@dataclass(frozen=True, slots=True)
class Kept:
    """What stays of earlier builds, by names below the base, without what the new build has too."""

    builds: int = 0
    files: frozenset[str] = frozenset()
    lists: Lists = field(default_factory=dict)
    dropped: str = ""  # why there is less than was asked for


@dataclass(slots=True)
class _List:
    """A build's files: bytes and integrity of those whose names hold no digest, bytes of the others."""

    shell: dict[str, tuple[int, str]] = field(default_factory=dict)
    data: _Sizes = field(default_factory=dict)


def write_list(base: Path) -> str:
    """Write the list of a build's files, all of which stand below `base` by now; return its name there."""
    found = _List()
    for file in sorted(base.rglob("*")):
        name = file.relative_to(base).as_posix()
        if file.is_file() and name not in UNHASHED:
            data = file.read_bytes()
            if _digest_in(name) is None:
                found.shell[name] = len(data), _integrity(data)
            else:
                found.data[name] = len(data)
    said = json.dumps({"shell": found.shell, "data": found.data}, separators=(",", ":"), sort_keys=True).encode()
    name = f"files-{digest(said).hex()}.json"
    (base / name).write_bytes(said)
    return name


def build_of(files: str, audience: str, rendered: Iterable[Rendered]) -> Build:
    """Describe a build for the record: `files` is the name of its list."""
    shown = [one.page for one in rendered if not one.page.neuron.noindex]
    said = [f"{page.neuron.id}\0{page.url}" for page in shown]
    notes = [name for name, page in zip(said, shown, strict=True) if page.neuron.user_note and page.neuron.user_note_shared]
    return Build(files, audience, frozenset(map(_page, (*said, *(f"{name}\0note" for name in notes)))))


def carry_over(old: Path, base: Path, now: Build, keep: int) -> Kept:
    """Copy what earlier builds had and the new one has not, and write the record.

    Args:
        old: the folder whose place `base` takes. There may be none, or one that holds anything.
        base: the new one.
        now: the new build.
        keep: how many earlier builds' files are to stay.

    """
    if not keep:
        return Kept()
    earlier = [build for build in read_builds(old) if build.files != now.files][:keep]
    why = next(filter(None, (build.withdrawn(now) for build in earlier)), "")
    if why:
        _record(base, [now])
        return Kept(dropped=f"{why}{_NONE}")
    files: dict[str, Path] = {}
    whole: list[Build] = []
    named: dict[str, frozenset[str]] = {}
    for build in earlier:
        with suppress(_Damaged):  # somebody has changed it: nothing of it is passed on
            found = _files(old, build.files)
            files |= found
            named[build.files] = frozenset(found)
            whole.append(build)
    copied = frozenset(name for name in files if not (base / name).exists())
    for name in sorted(copied):
        (base / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(files[name], base / name)
    _record(base, [now, *whole])
    damaged = len(earlier) - len(whole)
    said = f"{damaged} earlier build(s) had been changed, and were not kept" if damaged else ""
    return Kept(len(whole), copied, named, said)


def drop(base: Path, now: Build, kept: Kept, why: str) -> Kept:
    """Remove what was carried over."""
    for name in sorted(kept.files):
        (base / name).unlink()
        with suppress(OSError):  # others are still in it
            (base / name).parent.rmdir()
    _record(base, [now])
    return Kept(dropped=f"{why}{_NONE}")


def read_builds(base: Path) -> list[Build]:
    """Read the record of a folder, the newest build first; nothing where there is none that can be read."""
    try:
        builds = json.loads((base / BUILDS).read_text("utf-8"))["builds"]
        found = [Build(str(one["files"]), str(one["for"]), _pages(one["pages"])) for one in builds]
    except (OSError, ValueError, TypeError, LookupError):
        return []
    return found if all(_LIST.fullmatch(build.files) for build in found) else []


def listed(base: Path) -> Mapping[str, int]:
    """Return the earlier builds' files, with their bytes; of a list that is damaged, the list's name alone."""
    found: _Sizes = {}
    for build in read_builds(base)[1:]:
        found[build.files] = -1
        with suppress(_Damaged):
            read = _read_list(base, build.files)
            found |= {build.files: (base / build.files).stat().st_size, **read.data}
            found |= {name: size for name, (size, _) in read.shell.items()}
    return found


def lists(base: Path) -> Lists:
    """Return the earlier builds' files in a finished folder, of the builds that are whole."""
    found: dict[str, frozenset[str]] = {}
    for build in read_builds(base)[1:]:
        with suppress(_Damaged):  # then its files are nobody's
            found[build.files] = frozenset(_files(base, build.files))
    return found


class _Damaged(Exception):
    """A file is not what its name or its list says."""


def _files(base: Path, list_name: str) -> dict[str, Path]:
    """Return a build's files, each compared with its digest."""
    found = _read_list(base, list_name)
    names = {list_name, *found.shell, *found.data}
    for name in names:
        try:
            data = (base / name).read_bytes()
        except OSError:
            raise _Damaged(name) from None
        sealed = found.shell.get(name)
        if not _is_whole(name, data, sealed[1] if sealed else ""):
            raise _Damaged(name)
    return {name: base / name for name in names}


def _read_list(base: Path, name: str) -> _List:
    try:
        data = (base / name).read_bytes()
        said = json.loads(data)
        shell = {str(one): (int(size), str(seal)) for one, (size, seal) in said["shell"].items()}
        found = _List(shell, {str(one): int(size) for one, size in said["data"].items()})
    except (OSError, ValueError, TypeError, LookupError, AttributeError):
        raise _Damaged(name) from None
    named = all(_BY_DIGEST.fullmatch(one) for one in found.data) and all(map(_is_programs, found.shell))
    if not named or not _is_whole(name, data, ""):
        raise _Damaged(name)
    return found


def _is_programs(name: str) -> bool:
    """Tell whether a name is one of the program's own files, and leads nowhere else. What is in it is another question."""
    return (
        _OF_THE_PROGRAM.fullmatch(name) is not None
        and not {"", ".", ".."} & {*name.split("/")}
        and not re.search(r"[\\:]", name)
    )


def _digest_in(name: str) -> str | None:
    found = _BY_DIGEST.fullmatch(name)
    return found[1] if found else None


def _is_whole(name: str, data: bytes, integrity: str) -> bool:
    said = _digest_in(name)
    if said is None:
        return _integrity(data) == integrity
    return sha256(data).hexdigest().startswith(said)


def _integrity(data: bytes) -> str:
    return f"sha256-{b64encode(sha256(data).digest()).decode()}"


def _page(said: str) -> str:
    return sha256(said.encode("utf-8", "surrogatepass")).digest()[:_PAGE].hex()


def _pages(said: str) -> frozenset[str]:
    return frozenset(said[at : at + 2 * _PAGE] for at in range(0, len(said), 2 * _PAGE))


def _record(base: Path, builds: Sequence[Build]) -> None:
    rows: list[dict[str, Any]] = [
        {"files": build.files, "for": build.audience, "pages": "".join(sorted(build.pages))} for build in builds
    ]
    (base / BUILDS).write_text(json.dumps({"builds": rows}, indent=1) + "\n", "utf-8", newline="\n")
