"""Makes `python -m ranvier_builder` the same as `ranvier`."""

from ranvier_builder.cli import main

main(prog_name="ranvier")
