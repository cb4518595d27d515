"""A replacement for asyncio. Pyodide imports one function when it starts, and calls it only when Python awaits a promise."""


def get_event_loop() -> object:
    """Raise `RuntimeError`."""
    raise RuntimeError("this engine has no event loop: the core is synchronous")
