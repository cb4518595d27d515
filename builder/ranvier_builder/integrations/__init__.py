"""Plugins for other site generators. They index the finished HTML, and open the search box from the theme."""
