"""Rules on the redo log: its size, its writes, and who waits for it."""
