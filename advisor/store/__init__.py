"""What Leadline remembers on this computer: targets, runs and points, in SQLite."""
