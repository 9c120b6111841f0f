"""tuwen (图文): answers over documents with page-exact citations and the right figures."""

__version__ = "0.1.0"
