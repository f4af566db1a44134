"""What a server's load asks of flushing, and whether that keeps up."""
