"""A replacement for Pyodide's event loop. The core is synchronous, and asyncio imports sockets, processes and logging."""


def _initialize_event_loop() -> None:
    """Do nothing: there is no event loop."""
