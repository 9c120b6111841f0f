"""From bytes to blocks, sections, chunks and figures."""
