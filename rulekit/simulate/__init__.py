"""Whole races and matches: policies, random streams, the table where they play, and the referee of written games."""
