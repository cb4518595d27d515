"""The HTTP API of a built site: search and retrieval for programs (V2)."""

from ranvier_builder.api.app import api_app
from ranvier_builder.api.tokens import VARIABLE, Tokens, read_tokens

__all__ = ["VARIABLE", "Tokens", "api_app", "read_tokens"]
