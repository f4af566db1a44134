"""What will be measured: the plans that ship, fitted to the space there is."""
