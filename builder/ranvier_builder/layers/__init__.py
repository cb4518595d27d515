"""Encrypted layers: the builds of further audiences, sealed, beside the public site on the same host."""
