"""`python -m rulekit` is the `rulekit` command; so is the installed one, which starts here."""

import signal


def main() -> None:
    """Run the command line. An interrupt ends the process quietly while modules still load, before it can be told."""
    by_python = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if by_python:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from rulekit.cli import main as run

    if by_python:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run()


if __name__ == "__main__":
    main()
