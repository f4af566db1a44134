"""What a target can be asked: transports, inventory facts, plans, engines and the agent."""
