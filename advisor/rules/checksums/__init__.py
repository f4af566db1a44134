"""Rules on checksums of pages and of redo."""
