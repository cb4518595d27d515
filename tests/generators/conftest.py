"""These tests install site generators and UIs from package registries, so they run only on request (see CONTRIBUTING).

`RANVIER_GENERATORS` names a folder for the installed packages, the built sites and the screenshots.
"""

import os

collect_ignore_glob = [] if os.environ.get("RANVIER_GENERATORS") else ["test_*.py"]
