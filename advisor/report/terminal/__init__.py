"""What only a terminal shows of a report: its first screen, a run in full, what to type next."""
