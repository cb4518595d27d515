"""Query parsing: the typed text → a tree of terms, a scope and a strategy."""
