"""The leak check (A3): proves on the written bytes that nothing withheld was published.

sources, frontmatter   who is withheld, by the check's own reading
prose, gather          what they say (needles), and what published files say as well (no needles then)
views, html, snapshot  a written file, opened as far as it opens
files, data, search    what is looked for in files and in the search data, and what a find means
vectors                where the numbers come from
proofs                 what need not be proved again
media, own             files that are copied: the content's, the program's

It shares no code with what it checks but the core's reader and analyser, which anybody has who reads a site; the model's files;
and, where vectors are made again, what makes them, which is given nothing but published texts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from pathlib import Path

from ranvier_builder.check.leaks.found import Leak
from ranvier_builder.check.leaks.gather import gather
from ranvier_builder.check.leaks.media import media_leaks
from ranvier_builder.check.leaks.proofs import Proofs
from ranvier_builder.check.leaks.search import Search
from ranvier_builder.check.leaks.sources import read_content
from ranvier_builder.config import Config

__all__ = ["Leak", "Proofs", "find_leaks"]


def find_leaks(
    out: Path,
    content: Path,
    config: Config,
    progress: Callable[[str, int], None] | None = None,
    *,
    executor: Executor | None = None,
    proofs: Proofs | None = None,
    again: bool = False,
    unproved: list[str] | None = None,
    earlier: Mapping[str, frozenset[str]] | None = None,
) -> list[Leak]:
    """Search a written site for what may not be in it.

    Args:
        out: the site's folder.
        content: the folder that it was built from.
        config: what it was built with; for whom it is decides what is withheld.
        progress: told the stage and the number of files, then `("", n)` after each n files.
        executor: takes a share of the files, where there is one.
        proofs: what earlier checks proved; what this one proves is added.
        again: make the vectors once more from the published texts, and compare: the whole proof, at the whole cost.
        unproved: takes up what could not be proved here; without it, that is a find.
        earlier: what stays of earlier builds: name of a build's list below the base → names of its files. Each is opened and
            searched as this build is; what is found in its data is reported of its list.

    Returns:
        What was found, sorted by file; one find for each written file, withheld file and kind.

    """
    tell = progress or (lambda stage, count: None)
    found = read_content(content, config, out)
    leaks, good = media_leaks(out, found, config)
    gathered = gather(found, config, executor)
    if gathered.needles:
        search = Search(out, config, gathered, good, earlier or {})
        leaks += search.leaks(tell, executor, proofs or Proofs(), again=again, unproved=unproved)
    return sorted(leaks)
