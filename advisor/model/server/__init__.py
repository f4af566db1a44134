"""What a server's own parts do: its pool, its redo log."""
