"""Rules on the buffer pool."""
