"""The runtime of the pack `python`, imported as it lies there and tested in memory."""
