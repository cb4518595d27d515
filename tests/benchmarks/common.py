"""Helpers of the benchmarks."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from ranvier_builder import Config, build
from support.content import build_without_engine

PUBLIC = Config(default_audience="public")


@contextmanager
def built(content: Path) -> Iterator[Path]:
    """Build a content folder into a temporary one."""
    with tempfile.TemporaryDirectory(prefix="ranvier-bench-") as folder:
        out = Path(folder) / "public"
        build(content, out, PUBLIC)
        yield out


@contextmanager
def indexed(content: Path) -> Iterator[Path]:
    """Build a content folder into a temporary one, without the engine of browsers."""
    with tempfile.TemporaryDirectory(prefix="ranvier-bench-") as folder:
        out = Path(folder) / "public"
        build_without_engine(content, out, PUBLIC, vectors=True)
        yield out


def queries(content: Path) -> list[str]:
    """Return ten queries of one to five words, which are headings of the content; the seed is constant."""
    import random
    import re

    text = "\n".join(file.read_text("utf-8", "replace") for file in sorted(content.rglob("*.md")))
    heads = sorted({head.strip().lower() for head in re.findall(r"^#{1,4} ([A-Za-z][A-Za-z ]+)$", text, re.MULTILINE)})
    rng = random.Random(7)
    return [rng.choice([head for head in heads if len(head.split()) == words]) for words in (1, 1, 2, 2, 3, 3, 4, 4, 5, 5)]
