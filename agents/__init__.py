"""One role a file."""
