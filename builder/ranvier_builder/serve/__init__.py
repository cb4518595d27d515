"""Serve a built site on this machine, like a good static host."""

from ranvier_builder.serve.static import static_app

__all__ = ["static_app"]
