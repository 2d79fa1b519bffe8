"""A bounded round of mutated files; a million are looked at by hand."""

from itertools import islice

from tests.formats.robots_mutations import documents, look


def test_mutated_files_are_read_asked_noted_and_written() -> None:
    for number, data in enumerate(islice(documents(7), 2_000)):
        look(data, number)
