"""The format has a number: a release reads the sites of its number, and refuses all others with a message that has the cure.

`site-0.1.0` is the search of a small site, written by the first release. Do not write it again: a core with the same number of
the format and the same analyser must read it in the same way.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import ranvier
from ranvier import FormatError
from ranvier.store.format import FORMAT
from ranvier.text import ANALYSER

SITE = Path(__file__).with_name("site-0.1.0")
ANSWERS = {
    "kestrel": ["birds/kestrel.md", "index.md"],
    "hovering falcon": ["birds/kestrel.md"],
    "grey bird wetland": ["birds/heron.md", "index.md", "birds/kestrel.md"],
    "tag:river": ["birds/heron.md"],
}


def test_site_of_the_first_release_is_read_or_refused() -> None:
    """A later core with another number must say that the site has to be built again."""
    if (FORMAT, ANALYSER) != (10, "multi-6"):
        with pytest.raises(FormatError, match="build the site again"):
            ranvier.open_snapshot(SITE)
        return
    with ranvier.open_snapshot(SITE) as library:
        assert {query: [hit.path for hit in library.search(query).hits] for query in ANSWERS} == ANSWERS


def test_second_reader_reads_the_site_of_the_first_release() -> None:
    command = [sys.executable, "-I", "-S", Path(__file__).with_name("reader.py"), SITE, "kestrel"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert [page["path"] for page in json.loads(ran.stdout)] == ANSWERS["kestrel"]
    assert [*(SITE / "_ranvier" / "index").iterdir()], "the site has index files"


@pytest.mark.parametrize("number", [9, 11, None, "10"])
def test_site_of_another_format_is_refused(tmp_path: Path, number: object) -> None:
    """Older and newer ones, and files without a number."""
    site = shutil.copytree(SITE, tmp_path / "site")
    file = site / "_ranvier" / "entry.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | {"format": number}), "utf-8")
    with pytest.raises(FormatError, match=rf"is not of format {FORMAT}: build the site again"):
        ranvier.open_snapshot(site)
