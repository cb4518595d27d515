"""The cache of builds, which makes the next build faster, and the distribution of work to processes."""
