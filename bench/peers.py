"""Peers that are measured against but not depended on live in throw-away environments under `.bench/`."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / ".bench"
# Environment → what is installed into it; each is asked for by name, newest version.
PEERS = {
    "usp": ("ultimate-sitemap-parser",),
    "advertools": ("advertools",),
    "scrapy": ("scrapy",),
    "django": ("django",),
}


def python_of(peer: str) -> Path | None:
    """The interpreter of a peer's environment, or None when it is absent."""
    path = HOME / peer / "bin" / "python"
    return path if path.exists() and (HOME / peer / "ready").exists() else None


def install() -> None:
    """Make every environment that is missing; one that fails is said, and stays absent."""
    for peer, packages in PEERS.items():
        if python_of(peer):
            continue
        print(f"bench: installing {peer} into .bench/{peer} …", file=sys.stderr, flush=True)
        target = HOME / peer
        made = subprocess.run([sys.executable, "-m", "venv", "--clear", str(target)], capture_output=True, check=False)
        command = [str(target / "bin" / "python"), "-m", "pip", "install", "--quiet", *packages]
        if made.returncode == 0 and subprocess.run(command, capture_output=True, check=False).returncode == 0:
            (target / "ready").touch()
        else:
            print(f"bench: {peer} could not be installed", file=sys.stderr)


if __name__ == "__main__":
    install()
