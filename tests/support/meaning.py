"""Small models of static vectors, and stores of vectors without a snapshot."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from ranvier.legs import Recall
from ranvier.legs.vector import VectorLeg
from ranvier.query.scope import ScopeFilter
from ranvier.store.files import Files
from ranvier.store.manifest import VectorFiles
from ranvier.store.source import FolderSource
from ranvier.store.vectors import Vectors
from ranvier.types import Need, Ranking
from ranvier.vectors.tokens import START
from ranvier_builder.embed.models import StaticModel, embedder
from ranvier_builder.embed.tokenizer_file import TokenizerFile
from ranvier_builder.model import Chunk, Rendered
from ranvier_builder.search_settings import WORDLLAMA
from ranvier_builder.write.files import put as write_files
from ranvier_builder.write.vectors import write_vectors
from safetensors.numpy import save_file

from support.content import drive, page

BERT: Mapping[str, Any] = {
    "lowercase": True,
    "strip_accents": False,
    "chinese": True,
    "clean": True,
    "prefix": "##",
    "longest": 100,
}
CHUNKS = 1600
LEVEL = 2  # a caller with access to all pages


@dataclass(frozen=True, eq=False)
class Tiny:
    """A model whose tokens are whole words."""

    words: tuple[str, ...]
    rows: NDArray[np.float64]
    langs: tuple[str, ...] = ()
    name: str = "tiny"

    @property
    def tokenizer(self) -> TokenizerFile:
        """Its words as WordPiece."""
        return TokenizerFile("wordpiece", dict(BERT), {word: at for at, word in enumerate(self.words)})


def topical(
    topics: int, words: int, *, dimensions: int = 256, noise: float = 0.6, seed: int = 5, langs: tuple[str, ...] = ()
) -> Tiny:
    """Make a model of pseudo-words in which the words of a topic are near each other.

    Every ninth word has a letter that ASCII lacks.
    """
    rng = np.random.default_rng(seed)
    centres = np.repeat(rng.normal(size=(topics, dimensions)), words, axis=0)
    rows = centres + noise * rng.normal(size=centres.shape)
    # Rounded, so that no test depends on the last bits of the random numbers.
    return Tiny(tuple(_word(number) for number in range(topics * words)), np.round(rows, 3), langs)


def _word(number: int) -> str:
    spelled, remainder = "é" if number % 9 == 0 else "a", number
    for _ in range(4):
        spelled += "bdfgklmnprstvz"[remainder % 14] + "aeiou"[remainder % 5]
        remainder //= 14
    return spelled


@cache
def small_model() -> StaticModel:
    """Return WordLlama with its most frequent tokens: some 1,000 of 32,000. All other words are spelled."""
    model = embedder(WORDLLAMA)
    reader, frequent = model.tokenizer, 1000
    kept_rows = {
        row
        for token, row in reader.vocabulary.items()
        if row < frequent or token == START or (token < "\x7f" and len(token) == 1)
    }
    first = min(reader.vocabulary.values())  # lower numbers are special tokens and bytes
    rows = [*range(first), *sorted(kept_rows)]
    numbers = {row: number for number, row in enumerate(rows)}
    vocabulary = {token: numbers[row] for token, row in reader.vocabulary.items() if row in numbers}
    return StaticModel(model.name, model.langs, replace(reader, vocabulary=vocabulary), model.rows[rows])


def passages(model: Tiny, topics: int, pages: int, chunks: int = 4, words: int = 24, seed: int = 3) -> list[Rendered]:
    """Make pages of the words of a topical model: mostly of one topic, with some words of others."""
    rng, per_topic = Random(seed), len(model.words) // topics
    out = []
    for number in range(1, pages + 1):
        topic = rng.randrange(topics)
        topic_words = model.words[topic * per_topic : (topic + 1) * per_topic]
        bodies = [
            " ".join(rng.choice(topic_words if rng.random() < 0.7 else model.words) for _ in range(words))
            for _ in range(chunks)
        ]
        of_page = tuple(Chunk(f"s{at}", (topic_words[at % per_topic],), body) for at, body in enumerate(bodies))
        out.append(Rendered(page(f"p{number:05}.md", title=topic_words[0], seq=number), "", (), of_page))
    return out


def clustered_pages() -> tuple[list[Rendered], Tiny]:
    """Make `CHUNKS` chunks, enough for clusters, and the model of their words."""
    model = topical(12, 20)
    return passages(model, 12, CHUNKS // 4), model


@dataclass
class VectorStore:
    """Vectors that were written below a folder, and their reader."""

    folder: Path
    manifest: dict[str, Any]
    count: int
    chunks: int
    per_page: int

    @property
    def files(self) -> VectorFiles:
        """The files that the manifest names."""
        entries = [self.manifest[name] for name in ("head", "tokens")]
        files = [Files("vectors", digests, tuple(sizes)) for digests, sizes in entries]
        return VectorFiles(tuple(self.manifest["langs"]), *files)

    def open(self, prefetched: dict[str, bytes] | None = None) -> Vectors:
        """Return a reader that has fetched nothing; `prefetched`: the bytes of prefetched files."""
        return Vectors(self.files, {} if prefetched is None else prefetched)

    def _manifest(self) -> Any:
        count = self.per_page
        return SimpleNamespace(
            neuron_of=lambda chunk: -(-chunk // count),
            chunks_of=lambda page: range(count * (page - 1) + 1, count * page + 1),
            vectors=self.files,
        )

    def run(self, steps: Any) -> Any:
        """Answer all needs; return the result."""
        return self.drive(steps)[0]

    def drive(self, steps: Any) -> tuple[Any, list[Need]]:
        """Answer all needs; return the result and the needs."""
        return drive(steps, FolderSource(self.folder))

    def recall(self, words: str, leg: VectorLeg | None = None, scope: ScopeFilter | None = None, **options: Any) -> Ranking:
        """Run the leg."""
        ranking: Ranking = self.run(self.recalling(words, leg, scope, **options))
        return ranking

    def recalling(
        self,
        words: str,
        leg: VectorLeg | None = None,
        scope: ScopeFilter | None = None,
        vectors: Vectors | None = None,
        candidates: int = 200,
    ) -> Any:
        """Start the leg with a new reader, or with this one."""
        snapshot: Any = SimpleNamespace(manifest=self._manifest(), vectors=vectors or self.open())
        query: Any = SimpleNamespace(words=words, langs=("en",), level=LEVEL)
        texts: Any = None
        return (leg or VectorLeg(threshold=0.0)).recall(Recall(snapshot, texts, query, scope or ScopeFilter(), candidates))


def write(folder: Path, pages: Sequence[Rendered], model: Tiny, lang: str = "en") -> VectorStore:
    """Write the vectors of pages with equal numbers of chunks."""

    def put(contents: list[bytes]) -> list[Any]:
        return write_files(folder / "vectors", contents)

    manifest, count = write_vectors(pages, lang, model, put)
    return VectorStore(
        folder, manifest or {}, count, sum(len(item.chunks) for item in pages), len(pages[0].chunks) if pages else 1
    )


def write_model(folder: Path, words: Sequence[str], rows: NDArray[Any], *, table: str = "embeddings", under: str = "") -> Path:
    """Write a model as model2vec saves it, or below `under` as sentence-transformers does; its tokens are whole words."""
    inner = folder / under
    inner.mkdir(parents=True, exist_ok=True)
    vocabulary = {"[UNK]": 0} | {word: at for at, word in enumerate(words, 1)}
    save_file({table: np.ascontiguousarray(rows)}, inner / "model.safetensors")
    tokenizer = {
        "version": "1.0",
        "added_tokens": [{"id": 0, "content": "[UNK]", "special": True}],
        "normalizer": {"type": "BertNormalizer", "lowercase": True, "strip_accents": None, "clean_text": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "vocab": vocabulary},
    }
    (inner / "tokenizer.json").write_text(json.dumps(tokenizer), "utf-8")
    return folder


def file_digests(folder: Path) -> dict[str, str]:
    """Return the digests of the files by their names."""
    files = sorted((folder / "vectors").iterdir())
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
