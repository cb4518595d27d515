"""Fixtures of the tests of the search core."""

from pathlib import Path

import pytest
from ranvier_builder import Config
from support.content import build_without_engine, write_tree

SEMANTIC_PAGES: dict[str, str | bytes] = {
    "sea.md": "# Boats\n\nA ship sails over the ocean to the harbour.\n\n## Storm\n\nStrong wind and rain on the coast.\n",
    "bread.md": "# Baking\n\nBake a loaf of bread in a hot oven with flour and yeast.\n",
    "docker.md": "# Containers\n\nInstall the docker engine and run a container on a cluster.\n",
    "car.md": "---\ntags: [garage]\n---\n# Vehicles\n\nRepair the motor of an automobile.\n",
    "music/piano.md": "# Instruments\n\nA pianist plays a sonata in the concert hall.\n",
    "music/drum.md": "# Drums\n\nThe drummer keeps the rhythm of the song.\n",
    "law.md": "# Courts\n\nThe judge hears the lawyer and gives a verdict.\n",
    "doctor.md": "# Clinics\n\nA nurse and a physician treat the patient's illness.\n",
    "secret.md": "---\naudience: curator\n---\n# Patisserie\n\nThe confectioner bakes sweet tarts.\n",
}


@pytest.fixture(scope="session")
def semantic_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of all audiences with WordLlama vectors. Do not change it: copy it."""
    folder = tmp_path_factory.mktemp("meaning")
    config = Config(default_audience="public", publish_for="curator")
    report = build_without_engine(write_tree(folder / "c", SEMANTIC_PAGES), folder / "out", config, vectors=True)
    assert report.vectors == report.chunks == 10
    return folder / "out"
