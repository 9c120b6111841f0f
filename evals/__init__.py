"""Data sets, metrics and baselines."""
