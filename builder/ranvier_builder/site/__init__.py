"""Pages → HTML files."""
