"""Facts of the machine under the server: its kernel, memory and drives."""
