import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from waypost.dates import (
    DateForm,
    read_http,
    read_rfc822,
    read_w3c,
    write_http,
    write_rfc822,
    write_w3c,
)

TEN = 1768903200.0  # 2026-01-20T10:00:00Z


@pytest.mark.parametrize(
    ("text", "timestamp"),
    [
        ("2026", 1767225600.0),
        ("2026-01", 1767225600.0),
        ("2026-01-20", TEN - 36000),
        ("2026-01-20T10:00Z", TEN),
        ("2026-01-20T10:00:00Z", TEN),
        ("2026-01-20T10:00:00.25Z", TEN + 0.25),
        ("2026-01-20T12:00:00+02:00", TEN),
        ("2026-01-20T04:30:00-05:30", TEN),
        ("2024-02-29", 1709164800.0),
        ("1969-12-31T23:59:59Z", -1.0),
    ],
)
def test_w3c_dates_are_exact(text, timestamp):
    assert read_w3c(text) == (DateForm.EXACT, timestamp, "")


@pytest.mark.parametrize(
    ("text", "timestamp", "why"),
    [
        ("2026-01-20T10:00:00", TEN, "no time zone"),
        ("2026-01-20 10:00:00Z", TEN, "blank"),
        ("2026-01-20T12:00:00+0200", TEN, "no colon"),
        ("2026-01-20T10:00:00z", TEN, "lower-case"),
        ("2026-01-20T09:59:60Z", TEN, "leap second"),
        ("2026-01-19T24:00:00Z", TEN - 36000, "midnight"),
    ],
)
def test_spec_tolerated_dates_are_read_and_said(text, timestamp, why):
    reading = read_w3c(text)
    assert (reading.form, reading.timestamp) == (DateForm.TOLERATED, timestamp)
    assert why in reading.why


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "yesterday", "20240501", "2024-W18-3", "2024-05-01T10", "2024-13-01", "2024-02-30", "2024-00-10", "0000-01-01",
        "2024-5-1", "2024-05-01T25:00:00Z", "2024-05-01T10:60:00Z", "2024-05-01T10:00:61Z", "2024-05-01T24:00:01Z", "2024-05-01Z",
        "2024-05-01T10:00:00+15:00", "2024-05-01T10:00:00+02:60", "２０２４-05-01", "2024-05-01T10:00:00.Z", "2024-05-01\n", "24-05-01",
        "2024/05/01", "2024-05-01T10:00:00 Z", "1714521600", "9999-12-31T24:00:00Z", "9999-12-31T23:59:60Z", "9999-12-31T23:59:59-00:01",
        "0001-01-01T00:00:00+00:01",
    ],
)  # fmt: skip
def test_spec_what_is_no_date(text):
    reading = read_w3c(text)
    assert reading.form is DateForm.INVALID
    assert reading.timestamp is None
    assert reading.why


@given(st.integers(-62135596800, 253402300799))
def test_w3c_dates_round_trip(second):
    assert read_w3c(write_w3c(second)) == (DateForm.EXACT, float(second), "")


@given(st.integers(-2524608000, 253402300799))
def test_rfc822_and_http_dates_round_trip(second):
    assert read_rfc822(write_rfc822(second)) == (DateForm.EXACT, float(second), "")
    assert read_http(write_http(second)) == float(second)


@given(st.text())
def test_any_text_is_read_without_raising(text):
    for reading in (read_w3c(text), read_rfc822(text)):
        assert (reading.timestamp is None) == (reading.form is DateForm.INVALID)
    read_http(text)


@given(
    st.integers(-62135596800, 253402300799).map(write_w3c),
    st.sampled_from(["Z", "+14:00", "-14:00"]),
    st.sampled_from(["", ".999999999999999999"]),
)
@example("9999-12-31T23:59:59Z", "Z", ".999999999999999999")
def test_what_is_read_can_be_written(text, zone, fraction):
    reading = read_w3c(text.removesuffix("Z") + fraction + zone)
    if reading.timestamp is not None:
        assert read_w3c(write_w3c(reading.timestamp)).form is DateForm.EXACT


@pytest.mark.parametrize(
    "text",
    [
        "Tue, 20 Jan 2026 10:00:00 GMT",
        "20 Jan 2026 10:00 GMT",
        "20 Jan 26 10:00:00 UT",
        "Tue, 20 Jan 2026 05:00:00 EST",
        "Tue, 20 Jan 2026 12:00:00 +0200",
    ],
)
def test_rfc822_dates_are_exact(text):
    assert read_rfc822(text) == (DateForm.EXACT, TEN, "")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Mon, 20 Jan 2026 10:00:00 GMT", "weekday"),
        ("Tuesday, 20 January 2026 10:00:00 GMT", "three letters"),
        ("20 Jan 2026 10:00:00", "zone"),
        ("20 Jan 2026 09:59:60 GMT", "leap second"),
    ],
)
def test_loose_rfc822_dates_are_read_and_said(text, why):
    assert read_rfc822(text).timestamp == TEN
    assert why in read_rfc822(text).why


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-01-20",
        "Tue, 32 Jan 2026 10:00:00 GMT",
        "20 Foo 2026 10:00 GMT",
        "Xyz, 20 Jan 2026 10:00 GMT",
        "20 Jan 2026 10:00 NOPE",
        "20 Jan 2026 25:00 GMT",
        "20 Jan 2026 10:00 +9900",
        "Tue, 20 Jan 2026 10:00:61 GMT",
        "Tue, 20 Jan 2026 10:00:75 GMT",
        "31 Dec 9999 23:59:60 GMT",
        "31 Dec 9999 23:59:59 EST",
        "01 Jan 0001 00:00 +0001",
    ],
)
def test_what_is_no_rfc822_date(text):
    assert read_rfc822(text).form is DateForm.INVALID


def test_rfc822_years_of_two_digits():
    assert read_rfc822("01 Jan 70 00:00:00 GMT").timestamp == 0


@pytest.mark.parametrize(
    "text", ["Tue, 20 Jan 2026 10:00:00 GMT", "Tuesday, 20-Jan-26 10:00:00 GMT", "Tue Jan 20 10:00:00 2026"]
)
def test_rfc9110_the_three_forms_of_an_http_date(text):
    assert read_http(text) == TEN


def test_an_http_date_of_another_form_is_none():
    assert read_http("2026-01-20") is None
    assert read_http("nonsense GMT") is None


def test_years_before_1000_keep_four_digits():
    assert write_w3c(-62135596800) == "0001-01-01T00:00:00Z"
