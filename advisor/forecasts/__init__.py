"""Forecasts of stored runs, files and published tables: where the model's curves come from."""
