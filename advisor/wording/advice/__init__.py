"""What is said of advice: why it is given, what it brings, what is open."""
