"""Stands in for Pyodide's event loop: the core is synchronous, and asyncio would bring sockets, processes and logging along.

A memory snapshot numbers the JavaScript objects that Python holds and expects Pyodide's own first: those that the original
imports, in its order.
"""

from pyodide_js._api import scheduleCallback  # type: ignore[import-not-found]  # noqa: F401


def _initialize_event_loop() -> None:
    """Set no loop up: what needs one is told that there is none."""
