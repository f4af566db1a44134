"""MySQL servers: finding one, logging in, asking."""
