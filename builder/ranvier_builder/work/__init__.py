"""The cache of builds, which makes the next build faster, and the distribution of work to processes."""

from ranvier_builder.work.database import Memory, NoDatabase, WorkingDatabase, working_database
from ranvier_builder.work.machines import SCHEME, cluster
from ranvier_builder.work.page_store import PageMemory, PageStore
from ranvier_builder.work.pool import pool
from ranvier_builder.work.read import ReadSource, read_items
from ranvier_builder.work.render import render_pages

__all__ = [
    "SCHEME",
    "Memory",
    "NoDatabase",
    "PageMemory",
    "PageStore",
    "ReadSource",
    "WorkingDatabase",
    "cluster",
    "pool",
    "read_items",
    "render_pages",
    "working_database",
]
