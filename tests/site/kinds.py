"""The ways files and folders can change, as another process does them; `bench/freshness.py` does the same over HTTP."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def other_process() -> Iterator[Callable[[str], None]]:
    """Runs Python text in another process, and returns when it has run."""
    child = subprocess.Popen(
        [sys.executable, "-u", "-c", _CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdin is not None
    assert child.stdout is not None

    def run(code: str) -> None:
        child.stdin.write(repr(code) + "\n")
        child.stdin.flush()
        answer = child.stdout.readline()
        assert answer == "done\n", answer

    try:
        yield run
    finally:
        child.stdin.close()
        child.wait(10)
        child.stdout.close()


_CHILD = """
import ast, os, sys, mmap, shutil, ctypes
state = {"os": os, "mmap": mmap, "shutil": shutil, "ctypes": ctypes}
for line in sys.stdin:
    try:
        exec(ast.literal_eval(line), state)
        print("done", flush=True)
    except BaseException as error:
        print(repr(error), flush=True)
"""

HELPERS = """
import ctypes, mmap, os, shutil
libc = ctypes.CDLL(None, use_errno=True)

def text(title):
    return b"# " + title.encode() + b"\\n" + b"x" * 40

def tmp(path):
    return os.path.dirname(path) + "/." + os.path.basename(path) + ".tmp"

def put(path, data):
    with open(path, "wb") as stream:
        stream.write(data)

def exchange(one, other):
    if libc.renameat2(-100, one.encode(), -100, other.encode(), 2) != 0:
        raise OSError(ctypes.get_errno(), "renameat2")

def rename_over(path, title, outside):
    put(tmp(path), text(title)); os.rename(tmp(path), path)

def rename_from_outside(path, title, outside):
    put(outside + "/new", text(title)); os.rename(outside + "/new", path)

def rewrite_in_place(path, title, outside):
    put(path, text(title))

held = []
def write_and_keep_open(path, title, outside):
    while held: held.pop().close()
    stream = open(path, "r+b", buffering=0); stream.write(text(title)); held.append(stream)

def append(path, title, outside):
    os.unlink(path); put(path, b"")
    with open(path, "ab") as stream: stream.write(text(title))

def truncate(path, title, outside):
    put(path, text(title) + b"more" * 50); os.truncate(path, len(text(title)))

def sendfile(path, title, outside):
    put(outside + "/from", text(title))
    with open(outside + "/from", "rb") as source, open(path, "r+b") as target:
        os.sendfile(target.fileno(), source.fileno(), 0, len(text(title)))

def copy_file_range(path, title, outside):
    put(outside + "/from", text(title))
    with open(outside + "/from", "rb") as source, open(path, "r+b") as target:
        os.copy_file_range(source.fileno(), target.fileno(), len(text(title)))

def unlink_and_create(path, title, outside):
    os.unlink(path); put(path, text(title))

def hard_link_in(path, title, outside):
    put(outside + "/linked", text(title)); os.unlink(path); os.link(outside + "/linked", path)
    os.unlink(outside + "/linked")

def touch(path, title, outside):
    put(path, text(title)); os.utime(path, (1_000_000_000, 1_000_000_000 + int(title.split()[-1])))

def mmap_closed(path, title, outside):
    with open(path, "r+b") as stream:
        with mmap.mmap(stream.fileno(), len(text(title))) as memory:
            memory[:] = text(title); memory.flush()

def write_sidecar(path, title, outside):
    put(tmp(path), b'title = "%s"\\n' % title.encode()); os.rename(tmp(path), path + ".toml")

def unlink_sidecar(path, title, outside):
    put(path + ".toml", b'title = "old"\\n'); put(path, text(title)); os.unlink(path + ".toml")
"""

FILE_KINDS = (
    "rename_over", "rename_from_outside", "rewrite_in_place", "write_and_keep_open", "append", "truncate", "sendfile",
    "copy_file_range", "unlink_and_create", "hard_link_in", "touch", "mmap_closed", "write_sidecar", "unlink_sidecar",
)  # fmt: skip

FOLDER_HELPERS = """
import random

def folders_of(root):
    return [path for path, names, files in os.walk(root) if path != root]

def files_of(root):
    return [path + "/" + name for path, names, files in os.walk(root) for name in files if name.endswith(".md")]

def move_folder(root, chance, number):
    one = chance.choice(folders_of(root)); parent = chance.choice([root, *folders_of(root)])
    target = parent + "/m%d" % number
    if not (parent + "/").startswith(one + "/"): os.rename(one, target)

def exchange_folders(root, chance, number):
    one, other = chance.sample(folders_of(root), 2)
    if not (one + "/").startswith(other + "/") and not (other + "/").startswith(one + "/"): exchange(one, other)

def make_tree(root, chance, number):
    path = chance.choice([root, *folders_of(root)]) + "/p%d/q/r/s" % number
    os.makedirs(path); put(path + "/leaf%d.md" % number, text("leaf %d" % number))

def remove_tree(root, chance, number):
    if len(folders_of(root)) > 6: shutil.rmtree(chance.choice(folders_of(root)))
    else: make_tree(root, chance, number)

def move_out_and_in(root, chance, number):
    one = chance.choice(folders_of(root)); away = root + "-away%d" % number
    os.rename(one, away); put(away + "/while%d.md" % number, text("away %d" % number)); os.rename(away, one)

def swap_file_and_folder(root, chance, number):
    one = chance.choice(folders_of(root)); shutil.rmtree(one); put(one, b"a file now")
    os.unlink(one); os.makedirs(one); put(one + "/back%d.md" % number, text("back %d" % number))

def copy_tree(root, chance, number):
    if len(folders_of(root)) < 40: shutil.copytree(chance.choice(folders_of(root)), root + "/c%d" % number)
    else: shutil.rmtree(chance.choice(folders_of(root)))

def rename_file(root, chance, number):
    files = files_of(root)
    if files: os.rename(chance.choice(files), chance.choice([root, *folders_of(root)]) + "/f%d.md" % number)

def write_in_moved(root, chance, number):
    one = chance.choice(folders_of(root)); target = root + "/w%d" % number
    os.rename(one, target); put(target + "/w%d.md" % number, text("w %d" % number))
    os.makedirs(target + "/a/b", exist_ok=True); put(target + "/a/b/w.md", text("b %d" % number))

def new_folder_with_file(root, chance, number):
    path = chance.choice([root, *folders_of(root)]) + "/n%d" % number
    os.mkdir(path); put(path + "/in%d.md" % number, text("in %d" % number))

def swap_whole_folder(root, chance, number):
    one = chance.choice(folders_of(root)); other = root + "-swapped"
    os.makedirs(other + "/deeper"); put(other + "/s%d.md" % number, text("s %d" % number))
    put(other + "/deeper/t%d.md" % number, text("t %d" % number))
    exchange(one, other); shutil.rmtree(other)

KINDS = [move_folder, exchange_folders, make_tree, remove_tree, move_out_and_in, swap_file_and_folder, copy_tree,
         rename_file, write_in_moved, new_folder_with_file, swap_whole_folder]
"""

FOLDER_KINDS = (
    "move_folder", "exchange_folders", "make_tree", "remove_tree", "move_out_and_in", "swap_file_and_folder",
    "copy_tree", "rename_file", "write_in_moved", "new_folder_with_file", "swap_whole_folder",
)  # fmt: skip
