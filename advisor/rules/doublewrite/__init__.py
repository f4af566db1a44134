"""Rules on how doublewrite batches, and where it keeps its copies."""
