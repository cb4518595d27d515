"""The Markdown language in all its dialects: text in, text or tokens out. Independent of files, pages and audiences."""
