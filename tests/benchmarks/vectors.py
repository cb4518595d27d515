"""Vectors on a host: chunks a second, bytes of each kind of file, and recall of the exact answer within a query's budget.

Queries are headings, and successive words of the texts. Exact is the cosine of unrounded vectors over all chunks.
"""

import argparse
import random
import time
from pathlib import Path

import numpy as np
import ranvier
from common import indexed
from ranvier.legs.vector import VectorLeg, encode_query
from ranvier.presets import preset
from ranvier.store.texts import Passage as Shown
from ranvier_builder.embed.models import embedder
from ranvier_builder.embed.site import Passage, embed_site

SEED = 7
TOP = 10


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("content", type=Path)
    parser.add_argument("--queries", type=int, default=300, metavar="N")
    args = parser.parse_args()
    with indexed(args.content) as site, ranvier.open_snapshot(site) as library:
        manifest = library.engine.snapshot.manifest
        passages = library.run(library.engine.texts.passages(range(1, manifest.chunk_count + 1)))
        vectors = library.engine.snapshot.vectors
        if vectors is None:
            raise SystemExit("the site has no vectors")
        head = library.run(vectors.head())
        _sizes(site, head.shards.sizes, head.rows.sizes)
        texts = [item for _, item in sorted(passages.items()) if not vectors.langs or item.neuron.lang in vectors.langs]
        model = embedder("wordllama")
        began = time.process_time()
        result = embed_site([Passage(text.neuron.title, " ".join(text.headings), text.body) for text in texts], model)
        print(
            f"{len(texts):,} chunks, {len(texts) / (time.process_time() - began):,.0f} embedded in a second of processor time"
        )
        numbers, reader = np.array([text.chunk for text in texts]), model.tokenizer.tokenizer()
        leg = next(leg for leg in preset("default").legs if isinstance(leg, VectorLeg))
        recalls, files, shard_bytes = [], [], []
        for query in _queries(texts, args.queries):
            vector = library.run(encode_query(vectors, query))
            tokens = [token for word in reader.words(query) for token in reader.encode(word)]
            if not any(vector) or not tokens:
                continue
            exact = result.vectors @ result.rows[tokens].sum(axis=0)
            best = {int(numbers[at]) for at in np.argsort(-exact, kind="stable")[:TOP]}
            products = head.centroids.dots(vector)
            order = sorted(range(len(products)), key=lambda at: (-products[at], at))
            probed = leg.probed(order, head.shards.sizes, head.count)
            dots = [
                (-dot, chunk)
                for number, shard in library.run(vectors.shards(probed)).items()
                for chunk, dot in zip(shard.chunks, shard.dots(vector, products[number]), strict=True)
            ]
            recalls.append(len(best & {chunk for _, chunk in sorted(dots)[:TOP]}) / TOP)
            files.append(len(probed))
            shard_bytes.append(sum(head.shards.sizes[number] for number in probed))
        print(f"recall@{TOP} of exact cosine {np.mean(recalls):.3f} over {len(recalls)} queries")
        mean, largest = np.mean(shard_bytes) / 1000, max(shard_bytes) / 1000
        print(f"shards read: {np.mean(files):.1f} files, {mean:.0f} kB, at most {largest:.0f} kB")


def _sizes(site: Path, shards: tuple[int, ...], rows: tuple[int, ...]) -> None:
    total = sum(file.stat().st_size for file in (site / "_ranvier" / "vectors").iterdir())
    for name, sizes in (("shards", shards), ("rows", rows), ("head and tokens", (total - sum(shards) - sum(rows),))):
        print(f"{name:16} {len(sizes):>5} files {sum(sizes):>12,} bytes, median {sorted(sizes)[len(sizes) // 2]:,}")


def _queries(texts: list[Shown], count: int) -> list[str]:
    rng = random.Random(SEED)
    heads = sorted({text.heading for text in texts if len(text.heading.split()) > 2})
    bodies = [words for text in texts if len(words := text.body.split()) > 11]
    runs = []
    for words in rng.choices(bodies, k=count - min(len(heads), count // 3)):
        at = rng.randrange(len(words) - 8)
        runs.append(" ".join(words[at : at + rng.randint(4, 8)]))
    return [*rng.sample(heads, min(len(heads), count // 3)), *runs]


main()
