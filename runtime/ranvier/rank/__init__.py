"""Stages that change a ranked list after the legs."""
