"""Ranvier beside other search libraries: `sites` makes their indexes, `visits` asks them in a browser, `quality` judges."""
