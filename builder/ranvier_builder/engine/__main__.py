"""Copy the engine and its prepared files into a folder: `python -m ranvier_builder.engine --into ranvier_web/vendor`.

It is used for release wheels, and for machines without Node (make the folder elsewhere, set RANVIER_ENGINE_DIR).
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from pathlib import Path

import click

from ranvier_builder.assets import modules, pack_sources
from ranvier_builder.engine import EngineFiles, bundle, engine_files, make, packed_scripts, prepare, runtime_files
from ranvier_builder.engine.upgrade import print_pins
from ranvier_builder.errors import EngineError


@click.command()
@click.option("--into", type=click.Path(path_type=Path, file_okay=False), help="The output folder.")
@click.option("--show-hashes", is_flag=True, help="Make the files again and print their hashes for pinned.py.")
@click.option("--upgrade", metavar="VERSION", help="Fetch another Pyodide and print what must be pinned for it.")
def main(into: Path | None, show_hashes: bool, upgrade: str | None) -> None:
    """Find or make the trimmed Pyodide and copy it into a folder."""
    try:
        if upgrade:
            print_pins(upgrade, click.echo)
        if show_hashes:
            _show_hashes()
        if into is not None:
            _copy(into)
    except EngineError as error:
        raise click.ClickException(str(error)) from error
    if into is None and not show_hashes and not upgrade:
        raise click.UsageError("An option is missing: --into DIR, --show-hashes or --upgrade VERSION.")


def _copy(into: Path) -> None:
    engine = engine_files(progress=click.echo)
    into.mkdir(parents=True, exist_ok=True)
    for path in engine.paths:
        if path.resolve() != (into / path.name).resolve():
            shutil.copyfile(path, into / path.name)
        click.echo(f"{into / path.name}  {path.stat().st_size:,} bytes")
    _prepare(into, engine)


def _prepare(into: Path, engine: EngineFiles) -> None:
    """Add the prepared files of this core and the packed scripts, and remove those of other versions."""
    core, scripts = pack_sources(), modules()
    prepared = runtime_files(core, engine, click.echo)
    packed = packed_scripts(scripts, click.echo)
    _clear(into, prepare.PREFIX, name := f"{prepare.PREFIX}{prepare.digest(core, engine)}")
    if prepared != core:
        prepare.write(prepared, into / name)
    _clear(into, bundle.PREFIX, bundled := f"{bundle.PREFIX}{bundle.digest(scripts)}")
    bundle.write(packed, into / bundled)
    for folder in (into / name, into / bundled):
        click.echo(f"{folder}  {sum(path.stat().st_size for path in folder.glob('*')):,} bytes")


def _clear(folder: Path, prefix: str, name: str) -> None:
    """Remove folders of other versions."""
    for old in folder.glob(f"{prefix}*"):
        if old.name != name:
            shutil.rmtree(old)


def _show_hashes() -> None:
    """Make the engine from scratch and print the hashes for `pinned.FILES`."""
    with tempfile.TemporaryDirectory(prefix="ranvier-engine-") as folder:
        finished = Path(folder) / "finished"
        finished.mkdir()
        make.make(finished, click.echo)
        for path in sorted(finished.iterdir()):
            click.echo(f'"{path.name}": "{hashlib.sha256(path.read_bytes()).hexdigest()}",')


if __name__ == "__main__":
    main()
