"""/healthz, /readyz and /metrics: for the operator, on the loopback unless configured; for everybody else unknown."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from http import HTTPStatus
from ipaddress import ip_address, ip_network

from waypost.publish.paths import RESERVED, Resource
from waypost.publish.respond import Reply
from waypost.site.cache import PageMetaCache
from waypost.web.hosts import Hosts
from waypost.web.replies import NOINDEX, REFUSED
from waypost.web.visit import Visit

__all__ = ["OPERATED", "Counts", "operate"]

OPERATED = {
    row.path: row.resource for row in RESERVED if row.resource in {Resource.HEALTH, Resource.READY, Resource.METRICS}
}
"""The operator's paths, from the registry."""

_REPORTS_MAX = 100


@dataclass(slots=True)
class Counts:
    """How many answers of each class of status this worker gave."""

    by_class: dict[int, int] = field(default_factory=lambda: dict.fromkeys((2, 3, 4, 5), 0))

    def count(self, status: int) -> None:
        """One more answer."""
        self.by_class[status // 100] += 1


def operate(visit: Visit, hosts: Hosts, counts: Counts) -> Reply | None:
    """The operator's answer; None for anybody else, who gets that of an unknown page."""
    if not _is_operator(visit.client, hosts.settings().operators):
        return None
    if visit.ask.method not in {"GET", "HEAD"}:
        return REFUSED[405]
    resource = OPERATED[visit.ask.path]
    if resource is Resource.METRICS:
        return _reply(200, b"text/plain; version=0.0.4; charset=utf-8", _metrics(hosts, counts))
    roots = [_state(name, root) for name, root in hosts.roots()]
    is_ready = all(state["ready"] for state in roots)
    is_well = is_ready if resource is Resource.READY else True
    state = {"ready": is_ready, "roots": roots, "faults": hosts.faults()[:_REPORTS_MAX]}
    let_go = hosts.let_go()
    state |= {"let_go": len(let_go), "let_go_roots": let_go[-_REPORTS_MAX:]}
    body = json.dumps(state, indent=1, ensure_ascii=True)
    return _reply(200 if is_well else 503, b"application/json", body + "\n")


def _is_operator(address: str, operators: Iterable[str]) -> bool:
    try:
        client = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(client, "ipv4_mapped", None) or client
    return mapped.is_loopback or any(mapped in ip_network(row, strict=False) for row in operators)


def _state(name: str, root: PageMetaCache) -> dict[str, object]:
    root.try_table()  # what is said is true to the disk, unless coming in step takes long: then to what was before
    reports = root.reports.told
    return {
        "root": name,
        "ready": root.is_ready,
        "freshness": root.mode.value,
        "freshness_note": root.freshness_note,
        "objects": len(root.catalog),
        "pages": len(root.catalog.table),
        "rescans": root.rescans,
        "withheld": sum(report.is_withheld for report in reports),
        "reports": [str(report) for report in reports[:_REPORTS_MAX]],
        "configuration": sorted(root.config.faults.values()),
    }


def _metrics(hosts: Hosts, counts: Counts) -> str:
    lines = ["# TYPE waypost_responses_total counter"]
    lines += [f'waypost_responses_total{{class="{name}xx"}} {value}' for name, value in counts.by_class.items()]
    states = [_state(name, root) for name, root in hosts.roots()]
    for kind, key in (("gauge", "pages"), ("gauge", "objects"), ("gauge", "withheld"), ("counter", "rescans")):
        lines.append(f"# TYPE waypost_{key} {kind}")
        lines += [f'waypost_{key}{{root="{_label(str(state["root"]))}"}} {state[key]}' for state in states]
    return "\n".join(lines) + "\n"


def _label(name: str) -> str:
    return name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _reply(status: int, media: bytes, text: str) -> Reply:
    body = text.encode()
    headers = (
        (b"content-type", media),
        (b"content-length", b"%d" % len(body)),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
        NOINDEX,
    )
    return Reply(HTTPStatus(status), headers, body)
