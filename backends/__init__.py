"""Adapters behind core.ports, one small file per provider."""
