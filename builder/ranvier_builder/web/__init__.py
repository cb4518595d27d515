"""Reads the built HTML of any site generator."""
