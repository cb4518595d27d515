"""Fixtures of the conformance tests."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from conformance.server import MakeSite
from support.whole_site import page, whole_site


@pytest.fixture(scope="session")
def make_site(tmp_path_factory: pytest.TempPathFactory) -> MakeSite:
    """Build a site of all audiences; equal files are built once."""
    sites: dict[tuple[tuple[str, str], ...], Path] = {}

    def make(files: Mapping[str, str]) -> Path:
        key = tuple(sorted(files.items()))
        if key not in sites:
            sites[key] = whole_site(tmp_path_factory.mktemp("seed"), files)
        return sites[key]

    return make


SEMANTIC_PAGES = {  # each topic has different words
    "notes/boats.md": page("# Boats\n\nA ship sails over the ocean.\n\n## Storm\n\nStrong wind and rain on the coast."),
    "notes/ferry.md": page("# Ferry\n\nThe ferry crosses the strait and carries sailors.", tags=["water"]),
    "notes/bread.md": page("# Baking\n\nBake a loaf of bread in a hot oven with flour and yeast."),
    "notes/soup.md": page("# Soup\n\nBoil carrots and onions in a pot."),
    "work/cluster.md": page("# Containers\n\nInstall the docker engine and run a container on a cluster."),
    "work/database.md": page("# Tables\n\nA query reads rows out of a database."),
    "work/car.md": page("# Vehicles\n\nRepair the motor of an automobile in a garage."),
    "art/piano.md": page("# Instruments\n\nA pianist plays a sonata in the concert hall."),
    "art/drum.md": page("# Drums\n\nThe drummer keeps the rhythm of a song."),
    "art/harbour.md": page("# Picture\n\nThe sun above a harbour with sailing ships."),
    "art/harbour.png": "a stub of a picture",
    "law/court.md": page("# Courts\n\nThe judge hears the lawyer and gives a verdict."),
    "law/clinic.md": page("# Clinics\n\nA nurse and a physician treat the illness of a patient."),
}


@pytest.fixture(scope="session")
def semantic_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with real vectors."""
    return whole_site(tmp_path_factory.mktemp("semantic"), SEMANTIC_PAGES, vectors=True)
