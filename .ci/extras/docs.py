"""Build the site from the installed package."""

import subprocess
import sys
from pathlib import Path

docs = Path(__file__).resolve().parents[2] / "docs"
subprocess.run([sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", docs, "site"], check=True)
print(f"the site has {len(list(Path('site').rglob('*.html')))} pages")  # noqa: T201
