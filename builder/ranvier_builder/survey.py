"""The data of a build before it writes: what was read, what passed the gate, and the rendered pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ranvier_builder.audience import AUDIENCES, Admitted
from ranvier_builder.config import Config
from ranvier_builder.model import Neuron, Rendered, Report, Warn
from ranvier_builder.publish import Publication
from ranvier_builder.render.media import Media
from ranvier_builder.render.tree import Tree
from ranvier_builder.site.identity import Identity


@dataclass(frozen=True, slots=True)
class Survey:
    """All data of a build before it writes. `neurons` and `warnings` include withheld files."""

    neurons: tuple[Neuron, ...]
    admitted: Admitted
    rendered: tuple[Rendered, ...]
    media: Media
    tree: Tree
    warnings: tuple[Warn, ...]
    tuning: Mapping[str, Any]
    identity: Identity

    def report(self, audience: str) -> Report:
        """Return the counts and the warnings of a build for an audience."""
        levels, pages = self.admitted.levels, [page.page for page in self.rendered]
        are_resolved = [link.external or link.file or link.to is not None for page in self.rendered for link in page.links]
        return Report(
            read=len(self.neurons),
            published=len(self.rendered),
            withheld=self.admitted.withheld,
            first=self.admitted.first,
            links=len(are_resolved),
            unresolved=are_resolved.count(False),
            warnings=list(self.warnings),
            audience=audience,
            audiences={page.url: AUDIENCES[level] for page in pages if (level := levels[page.neuron.path])},
        )

    def publication(self, config: Config) -> Publication:
        """Return the published part."""
        levels, tree = self.admitted.levels, self.tree
        return Publication(tree.root.title, config.lang, self.rendered, tree, self.tuning, levels)
