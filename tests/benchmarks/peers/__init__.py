"""Ranvier beside other libraries: `sites` makes their indexes, `visits` searches in a browser, `quality` measures ranks."""
