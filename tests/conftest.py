"""Fixtures that several folders of tests share."""

import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from ranvier.recall import Recaller
from ranvier_builder import Config
from ranvier_builder.embed import models
from ranvier_builder.search_settings import WORDLLAMA
from ranvier_builder.work import database
from support.browser import chromium, full_chromium, playwright, tab
from support.content import build_without_engine, generated, write_tree
from support.engine_parts import bare_parts
from support.meaning import small_model
from support.shared import opened_fixture, shared_folder
from support.sites import example_site, manual_index
from support.stores import make_store

__all__ = [
    "bare_parts",
    "chromium",
    "example_site",
    "full_chromium",
    "manual_index",
    "playwright",
    "tab",
]  # each is made once in a run

# The same examples on every machine; a slow machine is no failure.
settings.register_profile("ranvier", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ranvier")

SMALL: dict[str, str | bytes] = {
    "ranvier.toml": 'title = "Nerves"\nname = "nerves"\ndefault_audience = "public"\n',
    "index.md": "# Nerves\n\nWelcome to the home page of nerves.\n",
    "guide/install.md": """---
id: install-guide
title: Install the axon
kind: guide
tags: [setup, nerve/fast]
aliases: [getting started]
summary: A zygomatic summary.
audience: public
user_note: private-kestrel-note
---
# Install the axon

Put the package on your machine {#claim-0a1b2c3d}.

## Requirements

You need a recent machine with conduction.

```sh
pip install axon-conductor --upgrade
```

## Troubleshooting

If conduction fails, look at the myelin & the "sheath" <here>.

### Slow conduction

A conduction that is slow has too little myelin; conduction again.
""",
    "guide/upgrade.md": "# Upgrade\n\nUpgrade the axon every spring. See [install](install.md#requirements).\n",
    "guide/hostile.md": (
        "# Hostile `<script>alert(1)</script>`\n\n"
        "The quetzal says \"a & b\" 'c' `<script>alert(2)</script>` and <b onclick=alert(3)>more quetzal</b>.\n"
    ),
    "guide/spread.md": "# Spread\n\n## First\n\nThe ostrich runs.\n\n## Second\n\nThe pangolin sleeps.\n",
    "guide/index.md": "# The guide\n\nPages of the guide.\n",
    "secret.md": "---\naudience: curator\ntitle: Hidden wolverine\n---\nThe wolverine plan.\n",
    **{
        f"relay/r{number:02}.md": f"# Relay {number}\n\nA relay passes a spike{' over a gap' if number % 4 == 0 else ''}.\n"
        for number in range(1, 31)
    },
}


@pytest.fixture(autouse=True)
def _remembering_elsewhere(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test writes to the build cache of the user."""
    folder = tmp_path_factory.getbasetemp() / "memory"
    monkeypatch.setattr(database, "user_cache_path", lambda _: folder)


@pytest.fixture(autouse=True)
def _small_model(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build takes a part of WordLlama, with which it is a second faster; not if a test is marked `wordllama`."""
    if request.node.get_closest_marker("wordllama") is None:
        load_model = models.embedder
        monkeypatch.setattr(
            models, "embedder", lambda name, *langs: small_model() if name == WORDLLAMA else load_model(name, *langs)
        )


@pytest.fixture(autouse=True)
def _valid_sql(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search with invalid SQL fails its test: for a reader, the texts are scanned instead (X2)."""
    scan = Recaller.scan

    def checked_scan(*arguments: Any) -> Any:
        error = sys.exception()
        assert getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_ERROR, error
        return scan(*arguments)

    monkeypatch.setattr(Recaller, "scan", checked_scan)


@pytest.fixture
def tree(tmp_path: Path) -> Callable[[dict[str, str | bytes]], Path]:
    """Write files below a fresh folder: `tree({"a.md": "text"})` returns that folder."""
    return lambda files: write_tree(tmp_path / "content", files)


@pytest.fixture(scope="session")
def small_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built site of some forty pages without browser assets. Do not change it: copy it."""
    folder = tmp_path_factory.mktemp("small")
    content = write_tree(folder / "content", SMALL)
    out = folder / "public"
    build_without_engine(content, out, Config(title="Nerves", name="nerves", default_audience="public"))
    return out


library = opened_fixture("small_site")


@pytest.fixture(scope="session")
def large_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of 1,600 generated chunks; `work/snapshot.sqlite` beside it is the file that it was split from."""
    return shared_folder(tmp_path_factory, "large", lambda folder: make_store(folder, generated())) / "base"
