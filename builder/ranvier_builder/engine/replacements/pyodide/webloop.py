"""A replacement for Pyodide's event loop. The core is synchronous, and asyncio imports sockets, processes and logging.

A memory snapshot numbers the JavaScript objects that Python holds, and expects those of Pyodide first. So this module and
`_package_loader` import the same objects as the originals, in the same order.
"""

from pyodide_js._api import scheduleCallback  # type: ignore[import-not-found]  # noqa: F401


def _initialize_event_loop() -> None:
    """Do nothing: there is no event loop."""
