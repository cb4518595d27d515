"""Published pictures and documents: each must be a file of the content folder that a published page names."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Collection, Iterator
from hashlib import sha256
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from ranvier_builder.check.leaks.found import Leak
from ranvier_builder.check.leaks.sources import Content
from ranvier_builder.config import Config
from ranvier_builder.media.publish import published
from ranvier_builder.media.refused import RefusedError

FOLDER = "_media"
# What can be an item of its own, without a page that shows it: then the default audience decides.
_ALONE = (".pdf", ".mp3", ".ogg", ".wav", ".m4a", ".flac", ".mp4", ".webm", ".vtt", ".srt")
_ENDS = frozenset(" \t\n\"'()<>[]|=,")  # of an address, in the text around it
_LONGEST = 1000  # characters of one


def media_leaks(out: Path, content: Content, config: Config) -> tuple[list[Leak], set[str]]:
    """Return what is wrong with the published media, and the names of files that are in order."""
    written = sorted(path for path in (out / FOLDER).rglob("*") if path.is_file()) if (out / FOLDER).is_dir() else []
    if not written:
        return [], set()
    originals = _by_digest(content, config, {path.suffix for path in written})
    named = _named(content)
    leaks, good = [], set()
    for path in written:
        name = path.relative_to(out).as_posix()
        same = originals.get(sha256(path.read_bytes()).hexdigest(), [])
        allowed = [one for one in same if _allowed(one, content, named, config)]
        if allowed:
            good.add(name)
        elif same:
            leaks.append(Leak(name, "file", "media", same[0], f"the same bytes as {same[0]}"))
        else:
            leaks.append(Leak(name, "file", "media", "", "no file of the content folder has these bytes"))
    return leaks, good


def _allowed(path: str, content: Content, named: set[str], config: Config) -> bool:
    if path in content.media_withheld:
        return False
    alone = config.default_audience and path.lower().endswith(_ALONE)
    return path in content.media_published or path in named or bool(alone)


def _by_digest(content: Content, config: Config, endings: set[str]) -> dict[str, list[str]]:
    """Return the files of the content by the SHA-256 of what would be published of them: pictures lose their metadata."""
    found = defaultdict(list)
    for path in (path for path in content.media if PurePosixPath(path).suffix in endings):
        seal = sha256()
        try:
            for part in published(content.root / path, strip_metadata=config.strip_metadata):
                seal.update(part)
        except (RefusedError, OSError):
            continue
        found[seal.hexdigest()].append(path)
    return found


def _named(content: Content) -> set[str]:
    """Return the media that stand in the source of a published file.

    Where several files have the name, the folder decides that is written before it, or the folder of the page; where neither
    leads to one of them, it may be any.
    """
    by_name = defaultdict(list)
    for path in content.media:
        by_name[PurePosixPath(path).name.casefold()].append(path)
    found = set[str]()
    whole = "\n".join(unquote(source.text).casefold() for source in content.published)
    for name, paths in by_name.items():
        if name in whole:
            found.update(paths if len(paths) == 1 else _chosen(name, paths, content))
    return found


def _chosen(name: str, paths: list[str], content: Content) -> Iterator[str]:
    places = {path.casefold(): path for path in paths}
    for source in content.published:
        text = unquote(source.text).casefold()
        folder = posixpath.dirname(source.path.casefold())
        for written in _writings(name, text):
            yield from (places[one] for one in _meant(written.removeprefix("./"), folder, places.keys()))


def _meant(written: str, folder: str, places: Collection[str]) -> Collection[str]:
    """Return the files that an address may lead to: from the page's folder, from the root, or by the end of its path."""
    bare = written.lstrip("/")
    beside, below_root = (posixpath.normpath(posixpath.join(start, bare)) for start in (folder, ""))
    if "/" not in written and beside not in places:
        return places
    ends = (one for one in places if "/" in written and f"/{one}".endswith(f"/{bare}"))
    return {one for one in (beside, below_root, *ends) if one in places} or places


def _writings(name: str, text: str) -> Iterator[str]:
    """Yield each way in which a text writes a file's name, with the folders before it."""
    at = text.find(name)
    while at >= 0:
        start = at
        while start and at - start < _LONGEST and text[start - 1] not in _ENDS:
            start -= 1
        yield text[start : at + len(name)]
        at = text.find(name, at + len(name))
