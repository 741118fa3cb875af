"""rulekit: exact odds, course checks and balance analysis of race games."""

__version__ = "0.1.0"
