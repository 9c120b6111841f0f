"""The composition root: the only place that reads settings and opens stores."""
