"""Settings of all tests."""

from hypothesis import settings

# A busy machine is no fault of the code: examples have no time limit of their own.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
