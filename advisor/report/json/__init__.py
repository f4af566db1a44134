"""Reports as JSON documents for programs."""
