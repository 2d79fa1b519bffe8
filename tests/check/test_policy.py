"""The verdict on addresses: every spelling that means an inside address is refused, and what admits which."""

import ipaddress
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.check.policy import NEVER, Policy, Reach, allowance, reach_of, read_address
from waypost.errors import ConfigError

CASES = json.loads((Path(__file__).parent.parent / "cases" / "addresses.json").read_text(encoding="utf-8"))
V4 = st.ip_addresses(v=4)


@pytest.mark.parametrize(("spelling", "reach"), [(row["host"], row["reach"]) for row in CASES["addresses"]])
def test_the_table_of_spellings(spelling: str, reach: str) -> None:
    address = read_address(spelling)
    assert address is not None
    assert reach_of(address).name == reach
    assert Policy().judge(address, 80, spelling).may_dial == (reach == "PUBLIC")


@pytest.mark.parametrize("host", CASES["names"])
def test_names_are_no_addresses(host: str) -> None:
    assert read_address(host) is None


@given(V4)
def test_one_number_octal_hex_and_short_spellings_mean_the_same_address(address: ipaddress.IPv4Address) -> None:
    number = int(address)
    a, b, c, d = address.packed
    wide = str(address).translate({ord(str(n)): 0xFF10 + n for n in range(10)}).replace(".", "。")
    spellings = [str(number), hex(number), f"0{number:o}", f"{a}.{number & 0xFFFFFF}", f"{a}.{b}.{c << 8 | d}"]
    spellings += [f"{a:#x}.{b:#x}.{c:#x}.{d:#x}", f"0{a:o}.0{b:o}.0{c:o}.0{d:o}", wide, f"{address}."]
    assert {read_address(text) for text in spellings} == {address}


@given(V4)
def test_every_wrapping_is_judged_by_what_it_carries(address: ipaddress.IPv4Address) -> None:
    plain, number = reach_of(address), int(address)
    wrapped = {
        "mapped": 0xFFFF << 32 | number,
        "nat64": 0x64FF9B << 96 | number,
        "6to4": 0x2002 << 112 | number << 80 | 1,
        "isatap": 0x20010500 << 96 | 0x5EFE << 32 | number,
    }
    for how, value in wrapped.items():
        assert reach_of(ipaddress.IPv6Address(value)) is plain, how
    for value in (number, 0xFFFF0000 << 32 | number, 0x20010000 << 96 | 1 << 64 | number ^ 0xFFFFFFFF):
        assert reach_of(ipaddress.IPv6Address(value)) is not Reach.PUBLIC


@given(st.ip_addresses())
def test_nothing_that_ipaddress_calls_private_is_public_here(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    if reach_of(address) is Reach.PUBLIC:
        assert not address.is_loopback
        assert not address.is_link_local
        assert not address.is_multicast
        assert not address.is_unspecified


@given(st.text(max_size=40))
def test_reading_a_host_never_raises(text: str) -> None:
    address = read_address(text)
    assert address is None or reach_of(address) in Reach


def _read(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    address = read_address(text)
    assert address is not None
    return address


@pytest.mark.parametrize(
    "typed", ["127.0.0.1", "10.1.2.3", "[::1]", "fd12::5", "100.64.0.9", "0x7f.1", "[::ffff:127.0.0.1]"]
)
def test_a_typed_address_admits_itself_at_its_port_and_nothing_else(typed: str) -> None:
    policy = Policy()
    policy.admit_typed(typed, 8000)
    assert policy.judge(_read(typed), 8000).may_dial
    assert not policy.judge(_read(typed), 8001).may_dial
    for other in ("127.0.0.2", "10.1.2.4", "fd12::6", "169.254.169.254"):
        assert not policy.judge(_read(other), 8000).may_dial


@pytest.mark.parametrize(
    "typed", ["169.254.169.254", "0.0.0.0", "fe80::1", "224.0.0.1", "fd00:ec2::254", "240.0.0.1", "192.0.2.1"]
)
def test_typing_admits_only_loopback_and_private_addresses(typed: str) -> None:
    policy = Policy()
    policy.admit_typed(typed, 80)
    assert not policy.judge(_read(typed), 80).may_dial


def test_localhost_admits_loopback_for_its_own_name_and_port() -> None:
    policy = Policy()
    policy.admit_typed("LocalHost.", 8000)
    assert policy.judge(_read("127.0.0.1"), 8000, "localhost").may_dial
    assert policy.judge(_read("::1"), 8000, "app.localhost").may_dial
    assert not policy.judge(_read("127.0.0.1"), 8000, "evil.example").may_dial
    assert not policy.judge(_read("127.0.0.1"), 80, "localhost").may_dial
    assert not policy.judge(_read("10.0.0.1"), 8000, "localhost").may_dial


def test_a_typed_name_admits_nothing_and_the_verdict_says_what_would() -> None:
    policy = Policy()
    policy.admit_typed("intranet.example", 80)
    verdict = policy.judge(_read("10.0.0.1"), 80, "intranet.example")
    assert not verdict.may_dial
    assert verdict.sentence == "10.0.0.1 is a private address; --allow-private intranet.example admits it"
    assert policy.judge(_read("127.0.0.1"), 80, "127.0.0.1").sentence.endswith("--allow-private 127.0.0.1 admits it")
    assert policy.judge(_read("169.254.169.254"), 80).sentence.endswith("no option admits it")
    assert policy.judge(_read("9.9.9.9"), 80).sentence == "9.9.9.9 is a public address"


def test_allow_private_admits_networks_addresses_and_names() -> None:
    policy = Policy(["127.0.0.0/8", "10.9.8.7", "Intranet.Example", "fd00::/8", "240.0.0.0/4", "192.0.2.0/24"])
    for address in ("127.3.4.5", "10.9.8.7", "fd99::1", "250.1.1.1", "192.0.2.9"):
        assert policy.judge(_read(address), 12).may_dial, address
    assert policy.judge(_read("172.16.0.1"), 80, "intranet.example.").may_dial
    assert not policy.judge(_read("172.16.0.1"), 80, "other.example").may_dial
    assert not policy.judge(_read("10.9.8.8"), 80).may_dial


@pytest.mark.parametrize("value", ["bücher.intern", "BÜCHER.intern.", "xn--bcher-kva.intern"])
def test_allow_private_admits_a_name_however_its_letters_are_written(value: str) -> None:
    assert Policy([value]).judge(_read("10.0.0.1"), 80, "xn--bcher-kva.intern").may_dial


def test_a_wrapped_address_is_admitted_with_the_address_it_carries() -> None:
    policy = Policy(["127.0.0.0/8"])
    for spelling in ("::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "::ffff:0:127.0.0.1"):
        assert policy.judge(_read(spelling), 80).may_dial, spelling
    assert not policy.judge(_read("fd00::5efe:127.0.0.1"), 80).may_dial
    assert not policy.judge(_read("240.0.0.1"), 80).may_dial
    assert not policy.judge(_read("::ffff:10.0.0.1"), 80).may_dial


@pytest.mark.parametrize("everything", ["0.0.0.0/0", "::/0"])
def test_allow_private_never_admits_link_local_metadata_multicast_or_unspecified(everything: str) -> None:
    policy = Policy([everything, "evil.example"])
    for row in CASES["addresses"]:
        verdict = policy.judge(_read(row["host"]), 80, "evil.example")
        assert verdict.may_dial == (Reach[row["reach"]] not in NEVER), row


@pytest.mark.parametrize("value", ["10.0.0.0/99", "/8", "http://a", "a b", "", "user@host", "a/b", "host:80"])
def test_a_bad_allowance_is_one_sentence(value: str) -> None:
    with pytest.raises(ConfigError, match="--allow-private"):
        allowance(value)
