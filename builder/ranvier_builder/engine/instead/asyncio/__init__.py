"""Stands in for asyncio: Pyodide looks one function up when it starts, and calls it only when Python awaits a promise."""


def get_event_loop() -> object:
    """Say that there is none."""
    raise RuntimeError("this engine has no event loop: the core is synchronous")
