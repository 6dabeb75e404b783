"""The record of options is what the library call and the command line take."""

import argparse
import inspect

import pytest

from msbridge.cli import convert as command
from msbridge.converters import CheckpointError, Options, convert
from msbridge.converters.options import OPTIONS, flag_of
from msbridge.core.checks.option_records import defaults_of


def test_the_library_call_takes_the_options_of_the_record():
    found = {name: one.default for name, one in inspect.signature(convert).parameters.items()}
    assert found == {
        "source": inspect.Parameter.empty,
        "target": inspect.Parameter.empty,
        "progress": None,
    } | defaults_of(Options)
    text = " ".join(convert.__doc__.split())
    assert [name for name, option in OPTIONS.items() if f" {name}: {option.help}." not in text] == []


def test_the_command_line_has_every_option_with_its_default():
    commands = argparse.ArgumentParser().add_subparsers()
    command.register(commands)
    parser = commands.choices["convert"]
    found = vars(parser.parse_args(["a", "b"]))
    assert {
        name: tuple(found[name]) if default == () else found[name] for name, default in defaults_of(Options).items()
    } == defaults_of(Options)
    assert {flag_of(name) for name in OPTIONS} <= set(parser._option_string_actions)


def test_what_does_not_go_together_names_the_option_that_helps():
    with pytest.raises(CheckpointError, match="backwards; rules passes them") as caught:
        Options(reverse_rules=True)
    assert [one.options for one in caught.value.remedies] == [("rules",)]
