"""Serving a built site on this machine, as a good static host would."""

from ranvier_builder.serve.static import static_app

__all__ = ["static_app"]
