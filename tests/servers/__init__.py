"""Real servers for tests: private, on loopback and unix sockets, gone with the test run."""
