"""The Markdown language in all its dialects: text in, text or tokens out. Knows no file, no page and no audience."""
