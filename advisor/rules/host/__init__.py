"""Rules about the machine: its memory, processors, clock and kernel."""
