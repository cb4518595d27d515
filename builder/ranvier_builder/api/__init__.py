"""The HTTP API of a built site: search and retrieval for programs (V2)."""
