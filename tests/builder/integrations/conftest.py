"""Sites of other generators are built without the engine and vectors."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest
from ranvier_builder import publish
from support.content import stub_assets


@pytest.fixture(autouse=True)
def _without_engine_and_vectors() -> Iterator[None]:
    with patch.object(publish, "write_assets", stub_assets), patch.object(publish, "model_of", lambda _: None):
        yield
