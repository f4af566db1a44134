"""A trial of one change on a live server, as values: what may be tried, how long, and what came."""
