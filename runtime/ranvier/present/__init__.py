"""Ranked chunks and their texts → hits, snippets and passages."""
