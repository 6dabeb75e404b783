"""Replaces transformers/modeling_utils.py: loading, saving, and other kernels for attention."""

from mindspore import nn


class _Functions(dict):
    def get_interface(self, name, default):
        return default


ALL_ATTENTION_FUNCTIONS = _Functions()


class EmbeddingAccessMixin:
    pass


class PreTrainedModel(EmbeddingAccessMixin, nn.Cell):
    def __init__(self, config, *args, **kwargs):
        nn.Cell.__init__(self)
        self.config = config
        self.gradient_checkpointing = False

    dtype = None

    def post_init(self):
        """Share the weights that are one tensor."""
        keys = getattr(self, "_tied_weights_keys", None)
        for target, source in keys.items() if isinstance(keys, dict) and self.config.tie_word_embeddings else ():
            _set_weight(self, target, _weight(self, source))

    def _init_weights(self, module):
        pass


def _owner(network, path):
    for part in path.split(".")[:-1]:
        network = network[int(part)] if part.isdigit() else getattr(network, part)
    return network, "embedding_table" if isinstance(network, nn.Embedding) else "weight"


def _weight(network, path):
    owner, name = _owner(network, path)
    return getattr(owner, name)


def _set_weight(network, path, value):
    owner, name = _owner(network, path)
    setattr(owner, name, value)


def slice_logits_to_keep(states, count):
    return states[:, -count:] if count else states


def get_parameter_dtype(network):
    return None
