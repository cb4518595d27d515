"""What several kinds of tests share: built sites, a server, a browser."""
