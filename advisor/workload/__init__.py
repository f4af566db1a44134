"""What a server asks of drive and memory, worked out of facts for rules of several families."""
