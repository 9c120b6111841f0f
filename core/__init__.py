"""Nouns and contracts of tuwen: no vendor, only the standard library and pydantic."""
