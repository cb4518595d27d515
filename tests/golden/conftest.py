"""The manual, built once with vectors for all tests of its ranking."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import ranvier
from ranvier_builder import Config
from support.content import build_without_engine
from support.sites import EXAMPLE


@pytest.fixture(scope="session")
def manual(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ranvier.Library]:
    out = tmp_path_factory.mktemp("golden") / "public"
    build_without_engine(EXAMPLE / "content", out, Config(default_audience="public"), vectors=True)
    with ranvier.open_snapshot(out) as opened:
        yield opened
