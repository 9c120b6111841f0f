"""Words only: prompts as files."""
