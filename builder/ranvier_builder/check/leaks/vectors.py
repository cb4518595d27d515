"""Vectors against the published texts. A number says nothing of where it comes from, so that is proved of all of them.

tokens    the model's own, all of them and nothing else: they say nothing of the site
order     the tokens of the published texts, by how often they stand there
shards    chunks of the snapshot, each once
numbers   nothing in them reads as text
again     where it is asked for, every file is made once more from the published texts, and compared
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgpack
from ranvier.store.format import DIGEST, checked
from ranvier.store.manifest import Files, Manifest, steps
from ranvier.store.texts import Passage
from ranvier.store.vectors import Head
from ranvier.vectors.tokens import Tokenizer, tokenizer

from ranvier_builder.check.again import made_again
from ranvier_builder.check.leaks.files import Found
from ranvier_builder.check.leaks.gather import Gathered
from ranvier_builder.check.leaks.needles import Hit, How, Mark
from ranvier_builder.embed.language import readable
from ranvier_builder.embed.models import Embedder
from ranvier_builder.embed.tokenizer_file import packs

FOLDER = "vectors"
_KEYS = frozenset("model dimensions count tokenizer options order per_file rows centroids shards homes".split())
_FILES = ("rows", "shards", "homes")
# What a byte can be in UTF-8: one that prints, the first of two, three or four, one that follows, a zero, another.
_KINDS = b"".join(
    b"0" if byte == 0 else b"a" if 0x20 <= byte <= 0x7E else b"c" if 0x80 <= byte <= 0xBF else kind
    for byte in range(256)
    for kind in [b"2" if 0xC2 <= byte <= 0xDF else b"3" if 0xE0 <= byte <= 0xEF else b"4" if 0xF0 <= byte <= 0xF4 else b"."]
)
_LEAST = 16  # bytes of text: numbers rarely read as so many, and a phrase of a withheld page is nearly always longer
_RUN, _WIDE = re.compile(b"a{%d,}" % _LEAST), re.compile(b"(?:a0){%d,}|(?:0a){%d,}" % (_LEAST, _LEAST))
_FEW = 5  # tokens that a find names


def vector_digests(base: Path, elsewhere: frozenset[str]) -> set[str]:
    """Return the SHA-256 of everything among the vectors but what is proved elsewhere, for bytes that were proved already."""
    return {
        sha256(file.read_bytes()).hexdigest()
        for file in (base / FOLDER).rglob("*")
        if file.is_file() and file.relative_to(base).as_posix() not in elsewhere
    }


class Vectors:
    """The vectors of one site. `passages` are what is shown of each chunk.

    `model` is what they were made with; `None` where it is not here: then the head is taken at its word of what it holds.
    `elsewhere` are names below the base that another build has to answer for.
    """

    def __init__(
        self,
        base: Path,
        manifest: Manifest,
        passages: Mapping[int, Passage],
        gathered: Gathered,
        model: Embedder | None,
        elsewhere: frozenset[str],
    ) -> None:
        self.good: set[str] = set()  # SHA-256 of files that need no other search
        self._base = base
        self._manifest = manifest
        self._passages = passages
        self._gathered = gathered
        self._model = model
        self._elsewhere = elsewhere
        self._read: dict[str, bytes] = {}  # what was opened, inflated

    def finds(self, lang: str, *, again: bool) -> Iterator[Found]:
        """Yield what does not come from published texts. Raise whatever a damaged file makes a reader raise.

        Args:
            lang: the site's language.
            again: whether to make all files once more; it costs as much as making them did.

        """
        head = self._head()
        yield from self._unnamed(head)
        if head is None:
            return
        yield from self._of_the_model(head)
        yield from self._order(head)
        yield from self._shards(head)
        yield from self._rows(head)
        yield from self._numbers(head)
        if again and self._model is not None:
            yield from self._again(head, lang, self._model)
        self.good = {sha256((self._base / name).read_bytes()).hexdigest() for name in self._read}

    @property
    def _tokens(self) -> Files:
        assert self._manifest.vectors is not None
        return self._manifest.vectors.tokens

    def _named(self, head: Head) -> list[Files]:
        assert self._manifest.vectors is not None
        return [self._manifest.vectors.head, self._manifest.vectors.tokens, head.rows, head.shards, head.homes]

    def _file(self, files: Files, number: int) -> tuple[str, bytes]:
        name = files.name(number)
        if name not in self._read:
            self._read[name] = checked(name, (self._base / name).read_bytes(), files.digest(number))
        return name, self._read[name]

    def _all(self, files: Files) -> Iterator[tuple[str, bytes]]:
        yield from (self._file(files, number) for number in range(len(files.sizes)))

    def _head(self) -> Head | None:
        return None if self._manifest.vectors is None else Head(*self._file(self._manifest.vectors.head, 0))

    def _unnamed(self, head: Head | None) -> Iterator[Found]:
        named = set[str]()
        for files in self._named(head) if head is not None else ():
            named |= {files.name(number) for number in range(len(files.sizes))}
        for file in sorted((self._base / FOLDER).rglob("*")):
            name = file.relative_to(self._base).as_posix()
            if name not in named | self._elsewhere and not file.is_dir():
                yield _found(name, "file name", "nothing names it")

    def _of_the_model(self, head: Head) -> Iterator[Found]:
        """Compare the tokens, and what else is said of the model, with the model's own."""
        files = [*self._all(self._tokens)]
        if self._model is None:  # a word by itself says nothing: it is one of a language's
            for name, data in files:
                yield from self._holding(name, "tokens", _canonical(data)[0].replace("\n", "\n\n"), How.RAW)
            return
        reader = self._model.tokenizer
        expected = [_listed(tokens) for tokens in packs(reader)]
        if len(files) != len(expected):
            yield _found(self._name(), "tokens", f"{len(files):,} files instead of {len(expected):,}")
        for (name, data), own in zip(files, expected, strict=False):
            if (said := _canonical(data)) != own:
                more = sorted({*said[0].split("\n")} - {*own[0].split("\n")})
                yield _found(name, "tokens", f"are not the model's: {', '.join(more[:_FEW]) or 'other ids, or fewer of them'}")
        own_words = (self._model.name, self._model.rows.shape[1], reader.kind, dict(reader.options))
        said_here = (head.model, head.dimensions, head.kind, head.options)
        if said_here != own_words or self._langs != self._model.langs:
            yield _found(self._name(), "head", f"tells of another model than {self._model.name}")

    def _order(self, head: Head) -> Iterator[Found]:
        """Count the tokens of the published texts, and compare."""
        reader = self._reader(head)
        counts = _counted(reader, self._texts())
        if head.order == sorted(counts, key=lambda token: (-counts[token], token)):
            return
        strange = set(head.order) - counts.keys()
        for path, text in self._gathered.withheld if strange else ():
            if theirs := strange & _counted(reader, [f"{path} {text}"]).keys():
                yield _found(self._name(), "tokens that are used", self._spelled(head, theirs), path)
        said = self._spelled(head, strange) if strange else "not as often as the published texts say them"
        yield _found(self._name(), "tokens that are used", said)

    def _reader(self, head: Head) -> Tokenizer:
        if self._model is not None:
            return self._model.tokenizer.tokenizer()
        return tokenizer(head.kind, head.options, self._ids(head))

    def _ids(self, head: Head) -> dict[str, int]:
        """Read the tokens as they lie there."""
        out: dict[str, int] = {}
        for _, data in self._all(self._tokens):
            said, number = _canonical(data), 0
            for token, step in zip(said[0].split("\n") if said[1] else (), said[1], strict=True):
                number += step
                out[token] = number
        return out

    def _spelled(self, head: Head, tokens: Iterable[int]) -> str:
        named = {number: token for token, number in self._ids(head).items()}
        return ", ".join(named.get(number, str(number)) for number in sorted(tokens)[:_FEW])

    @property
    def _langs(self) -> tuple[str, ...]:
        return self._manifest.vectors.langs if self._manifest.vectors is not None else ()

    def _reads(self, passage: Passage) -> bool:
        return readable(self._langs, passage.neuron.lang, passage.body)

    def _texts(self) -> list[str]:
        """Return what vectors are made of: each body, title and row of headings, once."""
        shown = [*filter(self._reads, self._passages.values())]
        parts = {one.body for one in shown}, {one.neuron.title for one in shown}, {" ".join(one.headings) for one in shown}
        return [text for part in parts for text in part]

    def _shards(self, head: Head) -> Iterator[Found]:
        """Find vectors of chunks that are not shown, or in another language, or two of the same."""
        seen = dict[int, int]()
        for shard, (name, data) in enumerate(self._all(head.shards)):
            said, columns = _canonical(data)
            number = 0
            for step in said:
                number += step
                one = self._passages.get(number)
                if one is None or not self._reads(one) or number in seen:
                    yield _found(name, "chunks", f"a vector more than there should be, of chunk {number}")
                seen[number] = shard
            if not isinstance(columns, bytes) or len(columns) != len(said) * head.dimensions:
                yield _found(name, "vectors", "more or fewer numbers than its chunks have")
        homes = [seen.get(chunk, len(head.shards.sizes)) for chunk in range(1, self._manifest.chunk_count + 1)]
        for name, data in self._all(head.homes):
            if _canonical(data) != homes:
                yield _found(name, "homes", "not where the shards have their chunks")
        if head.count != len(seen):
            yield _found(self._name(), "head", f"{head.count} vectors, and there are {len(seen)}")

    def _rows(self, head: Head) -> Iterator[Found]:
        """Find bytes that are no token's row; and in the head, what is not in its place."""
        first = head.options.get("bytes")
        tokens = {*self._ids(head).values(), *(range(first, first + 256) if first is not None else ())}
        if sum(len(data) for _, data in self._all(head.rows)) != len(tokens) * head.dimensions:
            yield _found(self._name(), "rows", f"more or fewer than the {len(tokens):,} tokens have")
        raw = _canonical(self._read[self._name()])
        if raw.keys() != _KEYS:
            yield _found(self._name(), "head", f"holds {', '.join(sorted(map(str, raw.keys() ^ _KEYS)))}")
        whole = all(type(number) is int for number in (head.count, *head.order, *head.per_file))
        if not whole or len(raw["centroids"]) != len(head.shards.sizes) * head.dimensions:
            yield _found(self._name(), "head", "holds something else than numbers")
        for files in self._named(head):
            if len(files.digests) != DIGEST * len(files.sizes) or not all(type(size) is int for size in files.sizes):
                yield _found(self._name(), "head", f"names something else than {len(files.sizes):,} files")

    def _numbers(self, head: Head) -> Iterator[Found]:
        """Find what reads as text among numbers."""
        parts = [(name, data) for files in (head.rows, head.shards) for name, data in self._all(files)]
        parts.append((self._name(), _canonical(self._read[self._name()])["centroids"]))
        for name, data in parts:
            if text := _readable(data):
                yield from self._holding(name, "numbers", text, How.BYTES)
        if self._model is None:
            for text in (head.model, head.kind, *map(str, head.options.values())):
                yield from self._holding(self._name(), "head", text, How.TEXT)

    def _holding(self, name: str, where: str, text: str, how: How) -> Iterator[Found]:
        yield from ((name, where, hit) for hit in self._gathered.needles.find(text, how))

    def _again(self, head: Head, lang: str, model: Embedder) -> Iterator[Found]:
        """Compare what files unpack to with what is made of the published texts."""
        made, own = made_again(self._manifest, self._passages, lang, model)
        if own is None:
            yield _found(self._name(), "again", "the published texts give no vectors")
            return
        said, own_head = _canonical(self._read[self._name()]), _canonical(made[own["head"][0]])
        if strange := [key for key in sorted(_KEYS - {*_FILES}) if said[key] != own_head[key]]:
            yield _found(self._name(), "again", f"not what the published texts give: {', '.join(strange)}")
        for files, row in ((getattr(head, kind), own_head[kind][0]) for kind in _FILES):
            expected = [made[row[at : at + DIGEST]] for at in range(0, len(row), DIGEST)]
            there = [*self._all(files)]
            others = [name for (name, data), one in zip(there, expected, strict=False) if data != one]
            if others:  # one text more changes nearly all of them
                yield _found(others[0], "again", f"not what the published texts give, as {len(others) - 1:,} more files")
            if len(there) != len(expected):
                yield _found(self._name(), "again", f"{len(there):,} files; the published texts give {len(expected):,}")

    def _name(self) -> str:
        assert self._manifest.vectors is not None
        return self._manifest.vectors.head.name(0)


def _found(name: str, where: str, said: str, of: str = "") -> Found:
    return name, where, Hit(Mark("text", of), said)


def _readable(data: bytes) -> str:
    """Return what in bytes reads as text, each run by itself."""
    kinds = data.translate(_KINDS)
    wide = _WIDE.finditer(kinds) if b"a0" * (_LEAST - 1) in kinds else ()
    runs = [data[one.start() : one.end()].replace(b"\0", b"") for one in wide]
    for letter in (b"4ccc", b"3cc", b"2c"):
        kinds = kinds.replace(letter, b"a" * len(letter))
    narrow = _RUN.finditer(kinds) if b"a" * _LEAST in kinds else ()
    runs += [data[one.start() : one.end()] for one in narrow]
    return "\n\n".join(run.decode("utf-8", "replace") for run in runs)


def _canonical(data: bytes) -> Any:
    """Read msgpack of which every byte is what our own writer writes."""
    value: Any = msgpack.unpackb(data, raw=False, strict_map_key=False)
    if msgpack.packb(value, use_bin_type=True) != data:
        raise ValueError("packed as nobody packs")
    return value


def _listed(tokens: Mapping[str, int]) -> list[Any]:
    known = sorted(tokens, key=tokens.__getitem__)
    return ["\n".join(known), steps(tokens[token] for token in known)]


def _counted(reader: Tokenizer, texts: Iterable[str]) -> Counter[int]:
    """Count the tokens of some texts."""
    words = Counter(word for text in texts for word in reader.words(text))
    out = Counter[int]()
    for word, times in words.items():
        for token in reader.encode(word):
            out[token] += times
    return out
