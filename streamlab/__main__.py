"""``python -m streamlab`` is the command ``streamlab``."""

from streamlab.cli import main

if __name__ == "__main__":  # processes that compile kernels import this module, too
    main()
