"""Two thousand mutated documents of every form a reader takes; a million of each are read by hand."""

import pytest
from tests.formats.long_run import FORMS

COUNT = 2_000


@pytest.mark.parametrize("form", FORMS)
def test_mutated_documents_are_read_whole_and_in_chunks(form):
    make, look = FORMS[form]
    complete = sum(look(make(number)) for number in range(COUNT))
    assert 0 < complete < COUNT
