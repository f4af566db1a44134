"""What a lab asks and what came of it: questions, estimates, effects with their intervals."""
