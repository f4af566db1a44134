"""Words and times that all pages say alike, and how they are set."""
