"""Alerts and forecasts of the United States National Weather Service."""
