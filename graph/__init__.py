"""Topology: state, nodes, routes, and the graphs."""
