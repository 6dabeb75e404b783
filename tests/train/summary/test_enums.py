"""Enumerations of summaries, under both paths that releases have."""

from msbridge.train.summary.enums import ModeEnum, PluginEnum, WriterPluginEnum


def test_values():
    assert ModeEnum.to_list() == ["train", "eval"]
    assert PluginEnum.to_list()[:3] == ["graph", "scalar", "image"]
    assert WriterPluginEnum.EXPORTER.value == "exporter"
