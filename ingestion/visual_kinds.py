"""Marks that parsers leave on pictures."""

SLIDE = "slide"
"""`meta["sub"]` of a picture of a whole slide."""
