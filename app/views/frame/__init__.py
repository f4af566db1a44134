"""Around every page: the targets, the header, the status bar, notices."""
