"""Leadline's own agent as an engine: its plan, its events and figures, how long to wait for it."""
