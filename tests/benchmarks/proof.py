"""Builds of content with randomly marked private files: how many fail, how many warn, and the time of the proof.

`python tests/benchmarks/proof.py CONTENT… [--rates .02,.1,.3,.6] [--markings 10] [--vectors]` marks files
`audience: curator`, each with the probability of a rate, and builds the folder without a cache. No withheld text is
published, so a failure is a false alarm, and so is a warning. Compare the processor time of such a build with that of a build
without the marked files. A `ranvier.toml` beside or in CONTENT is used.
"""

import argparse
import random
import shutil
import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import common  # noqa: F401 (it makes `support` importable)
from ranvier_builder import Config, build, publish
from ranvier_builder.config import find_config, load_config
from ranvier_builder.errors import LeakError
from ranvier_builder.model import Report
from ranvier_builder.paths import MARKDOWN
from ranvier_builder.work.database import Memory
from support.content import stub_assets


def mark(content: Path, rate: float, seed: int, *, delete: bool = False) -> None:
    """Mark some of a folder's Markdown files in their frontmatter, or delete them."""
    rng = random.Random(seed)
    for file in sorted(content.rglob("*")):
        if not (file.name.lower().endswith(MARKDOWN) and file.is_file() and rng.random() < rate):
            continue
        if delete:
            file.unlink()
            continue
        text = file.read_bytes()
        content_part = text.removeprefix(b"---\n") if text.startswith(b"---\n") else b"---\n" + text
        file.write_bytes(b"---\naudience: curator\n" + content_part)


def measure(content: Path, config: Config, rate: float, seed: int, *, delete: bool = False) -> tuple[float, Report | LeakError]:
    """Mark a copy and build it, without the engine of browsers; return seconds and the report or error."""
    with tempfile.TemporaryDirectory(prefix="ranvier-bench-") as folder, patch.object(publish, "write_assets", stub_assets):
        copy = Path(shutil.copytree(content, Path(folder, content.name)))
        mark(copy, rate, seed, delete=delete)
        start = time.process_time()
        try:
            result: Report | LeakError = build(copy, Path(folder, "public"), config, memory=Memory(Path(folder, "cache")))
        except LeakError as error:
            result = error
        return time.process_time() - start, result


def main() -> None:
    """Print one line for each folder and rate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("content", nargs="+", type=Path)
    parser.add_argument("--rates", default=".02,.1,.3,.6")
    parser.add_argument("--markings", type=int, default=10)
    parser.add_argument("--vectors", action="store_true")
    options = parser.parse_args()
    print("| content | rate | withheld | builds | false alarms | warnings | CPU s | without the marked files |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for content in options.content:
        config = load_config(find_config(content), **({} if find_config(content) else {"default_audience": "public"}))
        config = replace(config, search=replace(config.search, vectors=options.vectors))
        for rate in map(float, options.rates.split(",")):
            results = [measure(content, config, rate, seed) for seed in range(options.markings)]
            reports = [result for _, result in results if isinstance(result, Report)]
            for result in (result for _, result in results if isinstance(result, LeakError)):
                print(f"{content.name} {rate}: {result}")
            withheld = statistics.median(sum(report.withheld.values()) for report in reports)
            warnings = sum(warning.kind == "leak" for report in reports for warning in report.warnings)
            seconds = statistics.median(seconds for seconds, _ in results)
            without, _ = measure(content, config, rate, 0, delete=True)
            cells = (
                f"{withheld:.0f} | {len(results)} | {len(results) - len(reports)} | {warnings} | {seconds:.1f} | {without:.1f}"
            )
            print(f"| {content.name} | {rate:.0%} | {cells} |", flush=True)


main()
