"""Data that ships with Leadline: agents, migrations, icons and texts."""
