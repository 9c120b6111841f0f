"""One small file a format: each reads bytes into blocks."""
