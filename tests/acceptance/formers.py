"""Build small models of mindformers, run them forward and train them for some steps; a job of the acceptance run.

Prints a line of JSON for each: its name, and what went wrong.
"""

import json
import sys
from collections.abc import Callable

import mindspore as ms
import numpy as np
from mindspore import nn

__all__ = ["MODELS"]
sys.path.append(".")

WIDE = dict.fromkeys(
    ("compute_dtype", "param_init_type", "layernorm_compute_type", "softmax_compute_type", "rotary_dtype"), "float32"
)


def llama() -> nn.Cell:
    from mindformers import LlamaConfig, LlamaForCausalLM

    sizes = {"seq_length": 16, "vocab_size": 50, "hidden_size": 32, "num_layers": 2, "num_heads": 4}
    return LlamaForCausalLM(LlamaConfig(batch_size=2, use_flash_attention=False, **sizes, **WIDE))


def grouped_llama() -> nn.Cell:
    from mindformers import LlamaConfig, LlamaForCausalLM

    sizes = {"seq_length": 16, "vocab_size": 50, "hidden_size": 32, "num_layers": 2, "num_heads": 4, "n_kv_heads": 2}
    return LlamaForCausalLM(LlamaConfig(batch_size=2, use_flash_attention=True, **sizes))


def glm2() -> nn.Cell:
    from mindformers import ChatGLM2Config, ChatGLM2ForConditionalGeneration

    sizes = {"seq_length": 17, "padded_vocab_size": 50, "hidden_size": 32, "num_layers": 2, "num_attention_heads": 4}
    more = {"kv_channels": 8, "ffn_hidden_size": 64, "multi_query_group_num": 2}
    return ChatGLM2ForConditionalGeneration(ChatGLM2Config(batch_size=2, use_flash_attention=False, **sizes, **more))


#: how a model is made, and whether it takes the labels beside the tokens
MODELS: dict[str, tuple[Callable[[], nn.Cell], bool]] = {
    "Llama": (llama, False), "Llama, grouped, float16": (grouped_llama, False), "ChatGLM2": (glm2, True),
}  # fmt: skip


def problem(make: Callable[[], nn.Cell], has_labels: bool) -> str:
    """Train a model; return what went wrong."""
    try:
        network = make()
        network.set_train()
        step = nn.TrainOneStepCell(network, nn.AdamWeightDecay(network.trainable_params(), 1e-2))
        step.set_train()
        tokens = ms.Tensor(np.random.default_rng(0).integers(1, 50, (2, 17)), ms.int32)
        inputs = (tokens, tokens) if has_labels else (tokens,)
        losses = [float(step(*inputs).asnumpy().mean()) for _ in range(6)]
    except Exception as error:
        return f"{type(error).__name__}: {error}".splitlines()[0][:300]
    return "" if losses[-1] < losses[0] else f"the losses are {losses}"


if __name__ == "__main__":
    ms.set_context(mode=ms.GRAPH_MODE)
    for name, model in MODELS.items():
        print(json.dumps({"case": name, "problem": problem(*model)}), flush=True)
