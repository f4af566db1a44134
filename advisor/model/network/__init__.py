"""A server as a network of stations: what it would do, and how long queries take."""
