"""What a target is: its machine, its storage and its MySQL server, asked and then read."""
