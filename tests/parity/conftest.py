"""Further sites beside the manual."""

from __future__ import annotations

from pathlib import Path

import pytest
from parity.harbour import harbour
from parity.sections import many_sections
from support.shared import shared_folder


@pytest.fixture(scope="session")
def harbour_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small site in ten languages, with the browser assets. Its content is in the same folder."""
    return shared_folder(tmp_path_factory, "harbour", harbour) / "public"


@pytest.fixture(scope="session")
def sections_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with 15,000 sections. Its content is in the same folder."""
    return many_sections(tmp_path_factory.mktemp("sections"))
