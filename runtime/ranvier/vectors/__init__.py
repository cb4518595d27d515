"""Semantic search: words of a query → a vector → the nearest chunks, with integers only."""
