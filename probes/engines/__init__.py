"""Programs that measure: how each is started, given its plan and read."""
