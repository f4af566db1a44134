"""What measured curves say: pure functions, no I/O, no clock."""
