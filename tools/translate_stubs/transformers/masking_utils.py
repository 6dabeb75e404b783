"""Replaces transformers/masking_utils.py: masks for any kind of attention; here for the plain one."""

import numpy as np
from mindspore import Tensor

LOWEST = float(np.finfo(np.float32).min)


def create_causal_mask(config=None, inputs_embeds=None, attention_mask=None, **kwargs):
    length = (inputs_embeds if inputs_embeds is not None else kwargs["input_embeds"]).shape[1]
    hidden = np.triu(np.ones((length, length), bool), 1)[None, None]
    if attention_mask is not None:
        hidden = hidden | (attention_mask.asnumpy() == 0)[:, None, None, :]
    return Tensor(np.where(hidden, LOWEST, 0.0).astype(np.float32))


def create_sliding_window_causal_mask(config=None, inputs_embeds=None, attention_mask=None, **kwargs):
    mask = create_causal_mask(config, inputs_embeds, attention_mask, **kwargs)
    length, window = mask.shape[-1], config.sliding_window or mask.shape[-1]
    far = np.tril(np.ones((length, length), bool), -window)[None, None]
    return Tensor(np.where(far, LOWEST, mask.asnumpy()).astype(np.float32))


def create_bidirectional_mask(config=None, inputs_embeds=None, attention_mask=None, **kwargs):
    if attention_mask is None:
        return None
    return Tensor(np.where(attention_mask.asnumpy() == 0, LOWEST, 0.0).astype(np.float32)[:, None, None, :])
