"""A cache over a fork: the child reads everything anew, over watches of its own, and the parent loses nothing."""

import os
import traceback

from tests.site.roots import Root, paths


def test_live_3_a_child_has_watches_of_its_own(root: Root) -> None:
    root.page("a.md")
    cache = root.cache()
    assert paths(cache) == ["/a"]
    to_child, from_child = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            assert paths(cache) == ["/a"]
            os.write(from_child[1], b"1")
            os.read(to_child[0], 1)
            assert paths(cache) == ["/a", "/b"]
            root.page("c.md")
            assert paths(cache) == ["/a", "/b", "/c"]
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    os.read(from_child[0], 1)
    root.page("b.md")
    assert paths(cache) == ["/a", "/b"]
    os.write(to_child[1], b"1")
    _, status = os.waitpid(child, 0)
    for descriptor in (*to_child, *from_child):
        os.close(descriptor)
    assert os.waitstatus_to_exitcode(status) == 0
    assert paths(cache) == ["/a", "/b", "/c"]
