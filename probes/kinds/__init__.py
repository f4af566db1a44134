"""Each probe, declared once: its words, its options, and its work in the agent's words."""
