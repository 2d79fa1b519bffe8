"""Every `>>>` example in the source runs, and every public name is what it says it is."""

import doctest
import importlib
import pkgutil

import pytest

import waypost

MODULES = sorted(
    found.name for found in pkgutil.walk_packages(waypost.__path__, "waypost.") if found.name != "waypost.__main__"
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run(name):
    module = importlib.import_module(name)
    assert doctest.testmod(module).failed == 0


def test_public_names_are_few_sorted_and_there():
    assert waypost.__all__ == sorted(waypost.__all__)
    assert len(waypost.__all__) <= 20
    for name in waypost.__all__:
        assert getattr(waypost, name) is not None
    assert set(waypost.__all__) <= set(dir(waypost))


def test_a_name_that_is_not_public_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        waypost.nonsense


@pytest.mark.parametrize("name", MODULES)
def test_all_lists_only_names_that_exist(name):
    module = importlib.import_module(name)
    for public in getattr(module, "__all__", []):
        assert hasattr(module, public)
