"""Replaces transformers/configuration_utils.py: reading and writing of settings."""

import copy
import dataclasses

from transformers.modeling_rope_utils import RotaryEmbeddingConfigMixin


class PreTrainedConfig(RotaryEmbeddingConfigMixin):
    attribute_map = {}
    model_type = ""
    is_encoder_decoder = False
    is_decoder = False
    add_cross_attention = False
    return_dict = True
    output_attentions = False
    output_hidden_states = False
    chunk_size_feed_forward = 0
    tie_word_embeddings = True
    problem_type = None
    num_labels = 2
    _attn_implementation = "eager"
    _attn_implementation_internal = "eager"

    def __init__(self, **kwargs):
        known = {}
        for kind in reversed(type(self).__mro__):
            for name in vars(kind).get("__annotations__", {}):
                if name in vars(kind):
                    known[name] = vars(kind)[name]
        for name, value in known.items():
            if isinstance(value, dataclasses.Field):
                value = value.default_factory() if value.default is dataclasses.MISSING else value.default
            setattr(self, name, copy.copy(value))
        names = {self.attribute_map.get(name, name): value for name, value in kwargs.items()}
        for name in [*names]:
            if name in known:
                setattr(self, name, names.pop(name))
        self.__post_init__(**names)

    def __post_init__(self, **kwargs):
        if hasattr(self, "rope_parameters"):
            kwargs = self.convert_rope_params_to_dict(**kwargs)
        for name, value in kwargs.items():
            setattr(self, name, value)

    def __getattr__(self, name):
        if name != "attribute_map" and name in type(self).attribute_map:
            return getattr(self, type(self).attribute_map[name])
        raise AttributeError(name)

    def validate(self):
        pass


PretrainedConfig = PreTrainedConfig
