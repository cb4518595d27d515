"""What a build remembers, so that the next one does less; and how its work is shared out to processes."""

from ranvier_builder.work.database import Memory, WorkingDatabase, working_database
from ranvier_builder.work.machines import SCHEME, cluster
from ranvier_builder.work.pool import pool
from ranvier_builder.work.read import Source, read_items
from ranvier_builder.work.render import render_pages
from ranvier_builder.work.shelf import Shelf

__all__ = [
    "SCHEME",
    "Memory",
    "Shelf",
    "Source",
    "WorkingDatabase",
    "cluster",
    "pool",
    "read_items",
    "render_pages",
    "working_database",
]
