"""A root of its own for one process: read-only, without capabilities, as another user, on a network of its own.

What a container and a hardened unit promise, as far as a machine without either can show it: namespaces made by
`unshare`, a root put together from the system's folders, `/opt/waypost` where an installation stands.
"""

import os
import shlex
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

USER = 10001
LOOPBACK_UP = (
    "import fcntl, socket, struct; s = socket.socket();"
    "fcntl.ioctl(s, 0x8914, struct.pack('16sh', b'lo', 0x41))"  # SIOCSIFFLAGS: up and running
)
SCRIPT = """
mount -t tmpfs -o mode=0755 tmpfs {root}
cd {root}
mkdir -p proc dev etc usr tmp opt/python opt/waypost/bin opt/waypost/lib/python{version}/site-packages {content}
for folder in usr etc dev proc; do mount --rbind /$folder $folder; done
for name in bin sbin lib lib64; do
  if [ -L /$name ]; then cp -P /$name $name; elif [ -d /$name ]; then mkdir $name; mount --rbind /$name $name; fi
done
mount -t tmpfs -o mode=1777 tmpfs tmp
mount --bind {base} opt/python
mount --bind {packages} opt/waypost/lib/python{version}/site-packages
mkdir tmp/source
mount --bind {source} tmp/source
mount --bind {site} ./{content}
ln -s ../../python/bin/python{version} opt/waypost/bin/python
ln -s python opt/waypost/bin/python3
printf 'home = /opt/python/bin\\ninclude-system-site-packages = false\\n' > opt/waypost/pyvenv.cfg
printf '#!/opt/waypost/bin/python\\nfrom waypost.cli.main import main\\nmain()\\n' > opt/waypost/bin/waypost
chmod 755 opt/waypost/bin/waypost
mount -o remount,bind,ro {site} ./{content}
mount -o remount,ro tmpfs {root}
{python} -c {loopback}
exec chroot . setpriv --reuid {user} --regid {user} --clear-groups --no-new-privs --bounding-set=-all \
  env -i LD_LIBRARY_PATH=/opt/python/lib PYTHONPATH=/tmp/source PATH=/opt/waypost/bin:/usr/bin:/bin HOME=/tmp {command}
"""


def why_not() -> str:
    """Why no sandbox can be made here; empty where one can."""
    if os.geteuid() != 0:
        return "needs root to make namespaces"
    done = subprocess.run(
        ["unshare", "-m", "-n", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True, check=False
    )
    return "" if done.returncode == 0 else "this machine makes no namespaces"


@contextmanager
def sandboxed(command: str, site: Path, content: str, place: Path) -> Iterator["Sandbox"]:
    """The command line, run where `site` stands at `content` (`/srv/waypost`, say)."""
    root = place / "sandbox"
    root.mkdir()
    values = {
        "root": root,
        "version": f"{sys.version_info[0]}.{sys.version_info[1]}",
        "base": sys.base_prefix,
        "packages": sysconfig.get_paths()["purelib"],
        "source": Path(__file__).resolve().parents[2] / "src",
        "site": site,
        "content": content.strip("/"),
        "python": sys.executable,
        "loopback": LOOPBACK_UP,
    }
    quoted = {name: shlex.quote(str(value)) for name, value in values.items()}
    script = SCRIPT.format(**quoted, user=USER, command=command)
    log = place / "log"
    with log.open("wb") as stream:
        words = ["unshare", "--mount", "--net", "--propagation", "private", "sh", "-eu", "-c", script]
        process = subprocess.Popen(words, stdout=stream, stderr=stream)
    try:
        yield Sandbox(process, log)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait(10)


class Sandbox:
    """A running command line."""

    def __init__(self, process: "subprocess.Popen[bytes]", log: Path) -> None:
        self.process, self.log = process, log

    def run(self, *command: str) -> "subprocess.CompletedProcess[str]":
        """Another command in the same sandbox, as the same user."""
        inside = [
            "nsenter",
            "-t",
            str(self.process.pid),
            "--mount",
            "--net",
            f"--root=/proc/{self.process.pid}/root",
            "--wd=/",
        ]
        user = [
            "setpriv",
            "--reuid",
            str(USER),
            "--regid",
            str(USER),
            "--clear-groups",
            "--no-new-privs",
            "--bounding-set=-all",
        ]
        variables = [
            "env",
            "-i",
            "LD_LIBRARY_PATH=/opt/python/lib",
            "PYTHONPATH=/tmp/source",
            "PATH=/opt/waypost/bin:/usr/bin:/bin",
            "HOME=/tmp",
        ]
        return subprocess.run(
            [*inside, *user, *variables, *command], capture_output=True, text=True, check=False, timeout=60
        )
