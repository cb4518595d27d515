"""The proof of the written files, and the health checks of contents and sites."""
