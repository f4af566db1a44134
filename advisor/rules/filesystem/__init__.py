"""Rules about file systems: their kind, how they are mounted, how full they are."""
