"""Many servers in one table: what limits each, its risks, what is to be gained, what differs."""
