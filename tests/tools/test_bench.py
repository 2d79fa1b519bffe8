"""The bench's own mechanics: what a topic is, and that one which breaks costs no other its rows."""

import subprocess
import sys
from pathlib import Path

import pytest
from bench.__main__ import COLUMNS, measured, row, summed_up, topics
from bench.harness import Figure, absent, peak_mb

ROOT = Path(__file__).resolve().parents[2]


def test_every_module_that_measures_is_a_topic_and_no_other():
    assert {"robots", "serving", "check", "start"} <= set(topics([]))
    assert not {"harness", "peers", "loopback", "__main__"} & set(topics([]))
    assert topics(["robots"]) == ["robots"]
    with pytest.raises(SystemExit, match="no topic nonsense"):
        topics(["nonsense"])


def test_a_topic_that_breaks_is_a_row_that_says_so(capfd):
    (broke,) = measured("no_such_topic")
    assert (broke.value, broke.met) == ("broke", False)
    assert "ModuleNotFoundError" in broke.how
    assert "no_such_topic" in capfd.readouterr().err


def test_the_table_has_a_cell_for_every_column_and_says_what_is_missed_and_absent():
    met = Figure("A", "one | two", "2×", "1×", "", True, "how")
    missed = met._replace(name="three", met=False)
    gone = absent("B", "four", "1×", "nginx")
    assert row(met).replace("\\|", "").count("|") == len(COLUMNS) + 1
    said = summed_up([met, missed, gone])
    assert "1 met, 1 not, of 3 figures." in said
    assert "Not met: A three." in said
    assert "absent: B four." in said


def test_the_peak_of_a_process_is_its_own():
    ballast = bytearray(200 * 2**20)
    code = "from bench.harness import peak_mb; print(peak_mb())"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert float(done.stdout) < 100 < len(ballast) / 2**20 <= peak_mb()
