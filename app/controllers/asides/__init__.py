"""What is behind pages that stand beside the six: servers, one over time, a trial, a lab."""
