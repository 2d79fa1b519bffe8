"""Serve every behaviour until the standard input closes; prints one JSON line with the origins.

python -m tests.hostile [NAME…]    then a line `report` on the standard input prints what was asked, as JSON
"""

import json
import sys

from tests.hostile import BEHAVIOURS, HostileServer


def main() -> None:
    wanted = set(sys.argv[1:])
    with HostileServer(row for row in BEHAVIOURS if not wanted or row.name in wanted) as server:
        print(json.dumps(server.bases), flush=True)
        for line in sys.stdin:
            if line.strip() == "report":
                counts = {name: len(paths) for name, paths in server.requests.items()}
                print(json.dumps({"requests": counts, "canary": server.canary_hits}), flush=True)


if __name__ == "__main__":
    main()
