"""A bounded round of random questions against Google's reference; the long round is run by hand."""

import pytest
from bench.robots_reference import differences, event_differences, is_here


@pytest.mark.skipif(not is_here(), reason="the reference's binding is not installed")
@pytest.mark.parametrize("seed", range(100, 104))
def test_google_reference_answers_random_questions_alike(seed: int) -> None:
    assert list(differences(2_000, seed)) == []


@pytest.mark.skipif(not is_here(), reason="the reference's binding is not installed")
def test_google_reference_understands_the_lines_of_random_documents_alike() -> None:
    assert list(event_differences(1_500, 100)) == []
