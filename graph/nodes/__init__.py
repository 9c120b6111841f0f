"""The graphs' nodes: each reads state, calls one service or agent, returns what it owns."""
