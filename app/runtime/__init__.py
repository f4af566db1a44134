"""What jobs, timers and the end of the program need, whatever they are used for."""
