"""`python -m ranvier_builder` is `ranvier`."""

from ranvier_builder.cli import main

main(prog_name="ranvier")
