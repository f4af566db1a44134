"""What a client gets: one file that tells a run, its advice and the plan, without any network."""
