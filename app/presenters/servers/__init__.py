"""The table of all servers: what its cells say, and what is said of one of them."""
