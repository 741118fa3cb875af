"""`python -m rulekit` is the `rulekit` command."""

from rulekit.cli import main

if __name__ == "__main__":
    main()
