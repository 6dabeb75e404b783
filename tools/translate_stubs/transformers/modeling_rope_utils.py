"""Replaces transformers/modeling_rope_utils.py: frequencies other than the usual ones."""

ROPE_INIT_FUNCTIONS = {}
RopeParameters = dict


def dynamic_rope_update(function):
    return function


class RotaryEmbeddingConfigMixin:
    pass
