"""Open files, table caches and undo files."""
