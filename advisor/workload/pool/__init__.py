"""What a server's load asks of its buffer pool."""
