"""A container as a target: its engine's commands, what the engine says of it, and work in it."""
