"""Programs that measure: how each is started, told its plan and read."""
