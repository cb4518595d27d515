"""The built HTML of any site generator, read."""
