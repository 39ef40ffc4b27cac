"""`python -m comparekit`."""

from comparekit.cli import main

if __name__ == "__main__":
    main()
