"""The program without a face: store, rules, reports and the use cases that both fronts call."""
