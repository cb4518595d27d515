"""Judged queries over a built site: measures its answers (`ranvier eval`), and finds better numbers (`ranvier tune`)."""
