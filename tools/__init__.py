"""What the graph can do: pure functions over hits, chunks and figures."""
