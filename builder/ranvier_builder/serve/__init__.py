"""Serve a built site on this machine, like a good static host."""
