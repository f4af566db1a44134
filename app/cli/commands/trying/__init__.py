"""Commands that try something: in the lab, or on the live server; and what came of it."""
