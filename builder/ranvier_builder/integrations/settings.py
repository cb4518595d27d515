"""What the plugins have in common: the site's settings and the words of their messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from ranvier_builder.config import FILE, Config, load_config
from ranvier_builder.model import Report
from ranvier_builder.read.globs import Located

STATIC = Path(__file__).parent / "static"  # a script and a style sheet for the pages of every generator
SHOWN = 10  # warnings


def config_file(folder: Path, name: str | None) -> Path | None:
    """Return the file of the site's settings: the named one, else `ranvier.toml` in the generator's folder, if it exists."""
    file = folder / (name or FILE)
    return file if name or file.is_file() else None


def site_config(file: Path | None, exclude: Iterable[str], **overrides: Any) -> Config:
    """Read the site's settings, and apply the generator's over them.

    Args:
        file: the site's `ranvier.toml`, if any.
        exclude: more globs of files that are not indexed.
        overrides: settings of `Config`; `None` and "" are no settings.

    Raises:
        ConfigError: the file is missing or invalid.

    """
    values = {name: value for name, value in overrides.items() if value not in (None, "")}
    config = load_config(file, **values)
    globs = (Located(glob, ("settings of the plugin", 0)) for glob in exclude)
    return replace(config, exclude=(*config.exclude, *globs))


def messages(report: Report) -> Iterator[str]:
    """Yield one line with the numbers of a report, and its first warnings."""
    left_out = sum(report.withheld.values())
    reasons = "; ".join(f"{count:,}: {reason}" for reason, count in report.withheld.items())
    more = f", {left_out:,} left out ({reasons})" if left_out else ""
    yield f"indexed {report.published:,} pages in {report.seconds:.1f} s{more}"
    for warning in report.warnings[:SHOWN]:
        yield str(warning)
    if len(report.warnings) > SHOWN:
        yield f"… and {len(report.warnings) - SHOWN:,} more warnings; `ranvier index --verbose` prints them all"
