"""`python -m waypost` is the `waypost` command."""

from waypost.cli.main import main

if __name__ == "__main__":
    main()
