"""Machines to work on: this computer, or one behind SSH."""
