"""The page of all servers."""
