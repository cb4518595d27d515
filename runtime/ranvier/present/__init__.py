"""Ranked chunks and their text → what the reader sees."""
