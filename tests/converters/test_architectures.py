"""Name mapping without a model, on the parameter lists of known networks.

Judge: each list is built of layers whose kind is known; the expected names are those of the kind's row in
mappings/parameters.toml. Shapes are the published ones; no values are needed, as a plan reads none.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from msbridge.converters.checkpoint import Checkpoint
from msbridge.converters.content import computed
from msbridge.converters.conversion import Options, plan
from msbridge.converters.elements import of_dtype

Shape = tuple[int, ...]


class Parameters:
    """A parameter list under construction: torch's names and shapes, and what MindSpore's must be."""

    def __init__(self):
        self.torch: dict[str, Shape] = {}
        self.mindspore: dict[str, Shape] = {}

    def keep(self, name: str, shape: Shape) -> None:
        self.torch[name] = self.mindspore[name] = shape

    def rename(self, name: str, new: str, shape: Shape, moved: Shape | None = None) -> None:
        self.torch[name], self.mindspore[new] = shape, moved or shape

    def linear(self, path: str, out: int, into: int, bias: bool = True) -> None:
        self.keep(f"{path}.weight", (out, into))
        if bias:
            self.keep(f"{path}.bias", (out,))

    def conv(self, path: str, out: int, into: int, *kernel: int, bias: bool = False) -> None:
        shape = (out, into, *kernel)
        moved = (out, into, 1, *kernel) if len(kernel) == 1 else shape
        self.rename(f"{path}.weight", f"{path}.weight", shape, moved)
        if bias:
            self.keep(f"{path}.bias", (out,))

    def norm(self, path: str, width: int) -> None:
        self.rename(f"{path}.weight", f"{path}.gamma", (width,))
        self.rename(f"{path}.bias", f"{path}.beta", (width,))

    def batch_norm(self, path: str, width: int, inner: str = "") -> None:
        leaves = {"weight": "gamma", "bias": "beta", "running_mean": "moving_mean", "running_var": "moving_variance"}
        for old, new in leaves.items():
            self.rename(f"{path}.{old}", f"{path}.{inner}{new}", (width,))
        self.torch[f"{path}.num_batches_tracked"] = ()

    def rms_norm(self, path: str, width: int) -> None:
        self.keep(f"{path}.weight", (width,))

    def embedding(self, path: str, rows: int, width: int) -> None:
        self.rename(f"{path}.weight", f"{path}.embedding_table", (rows, width))


def resnet50(p: Parameters) -> None:
    p.conv("conv1", 64, 3, 7, 7)
    p.batch_norm("bn1", 64)
    into = 64
    for stage, (blocks, width) in enumerate([(3, 64), (4, 128), (6, 256), (3, 512)], 1):
        for block in range(blocks):
            path = f"layer{stage}.{block}"
            for number, (out, inner, kernel) in enumerate(
                [(width, into, 1), (width, width, 3), (4 * width, width, 1)], 1
            ):
                p.conv(f"{path}.conv{number}", out, inner, kernel, kernel)
                p.batch_norm(f"{path}.bn{number}", out)
            if block == 0:
                p.conv(f"{path}.downsample.0", 4 * width, into, 1, 1)
                p.batch_norm(f"{path}.downsample.1", 4 * width)
            into = 4 * width
    p.linear("fc", 1000, 2048)


def densenet121(p: Parameters) -> None:
    p.conv("features.conv0", 64, 3, 7, 7)
    p.batch_norm("features.norm0", 64)
    width = 64
    for block, layers in enumerate([6, 12, 24, 16], 1):
        for layer in range(1, layers + 1):
            path = f"features.denseblock{block}.denselayer{layer}"
            p.batch_norm(f"{path}.norm1", width)
            p.conv(f"{path}.conv1", 128, width, 1, 1)
            p.batch_norm(f"{path}.norm2", 128)
            p.conv(f"{path}.conv2", 32, 128, 3, 3)
            width += 32
        if block < 4:
            p.batch_norm(f"features.transition{block}.norm", width)
            p.conv(f"features.transition{block}.conv", width // 2, width, 1, 1)
            width //= 2
    p.batch_norm("features.norm5", width)
    p.linear("classifier", 1000, width)


def mobilenet_v3(p: Parameters) -> None:
    p.conv("features.0.0", 16, 3, 3, 3)
    p.batch_norm("features.0.1", 16)
    for number, (wide, squeeze, out, kernel) in enumerate([(16, 8, 16, 3), (72, 0, 24, 3), (96, 24, 40, 5)], 1):
        path = f"features.{number}.block"
        p.conv(f"{path}.0.0", wide, 16, 1, 1)
        p.batch_norm(f"{path}.0.1", wide)
        p.conv(f"{path}.1.0", wide, 1, kernel, kernel)
        p.batch_norm(f"{path}.1.1", wide)
        if squeeze:
            p.conv(f"{path}.2.fc1", squeeze, wide, 1, 1, bias=True)
            p.conv(f"{path}.2.fc2", wide, squeeze, 1, 1, bias=True)
        p.conv(f"{path}.3.0", out, wide, 1, 1)
        p.batch_norm(f"{path}.3.1", out)
    p.linear("classifier.0", 1024, 576)
    p.linear("classifier.3", 1000, 1024)


def efficientnet_b0(p: Parameters) -> None:
    p.conv("features.0.0", 32, 3, 3, 3)
    p.batch_norm("features.0.1", 32)
    for stage, (into, out, squeeze) in enumerate([(32, 16, 8), (96, 24, 4), (144, 40, 6)], 1):
        path = f"features.{stage}.0.block"
        p.conv(f"{path}.0.0", into, 1, 3, 3)
        p.batch_norm(f"{path}.0.1", into)
        p.conv(f"{path}.1.fc1", squeeze, into, 1, 1, bias=True)
        p.conv(f"{path}.1.fc2", into, squeeze, 1, 1, bias=True)
        p.conv(f"{path}.2.0", out, into, 1, 1)
        p.batch_norm(f"{path}.2.1", out)
    p.linear("classifier.1", 1000, 1280)


def vit_b_16(p: Parameters) -> None:
    p.keep("class_token", (1, 1, 768))
    p.conv("conv_proj", 768, 3, 16, 16, bias=True)
    p.keep("encoder.pos_embedding", (1, 197, 768))
    for layer in range(12):
        path = f"encoder.layers.encoder_layer_{layer}"
        p.norm(f"{path}.ln_1", 768)
        p.keep(f"{path}.self_attention.in_proj_weight", (2304, 768))
        p.keep(f"{path}.self_attention.in_proj_bias", (2304,))
        p.linear(f"{path}.self_attention.out_proj", 768, 768)
        p.norm(f"{path}.ln_2", 768)
        p.linear(f"{path}.mlp.0", 3072, 768)
        p.linear(f"{path}.mlp.3", 768, 3072)
    p.norm("encoder.ln", 768)
    p.linear("heads.head", 1000, 768)


def swin_t(p: Parameters) -> None:
    p.conv("features.0.0", 96, 3, 4, 4, bias=True)
    p.norm("features.0.2", 96)
    for stage, blocks in [(1, 2), (3, 2), (5, 6), (7, 2)]:
        width = 96 << stage // 2
        for block in range(blocks):
            path = f"features.{stage}.{block}"
            p.norm(f"{path}.norm1", width)
            p.keep(f"{path}.attn.relative_position_bias_table", (169, width // 32))
            p.keep(f"{path}.attn.relative_position_index", (2401,))
            p.linear(f"{path}.attn.qkv", 3 * width, width)
            p.linear(f"{path}.attn.proj", width, width)
            p.norm(f"{path}.norm2", width)
            p.linear(f"{path}.mlp.0", 4 * width, width)
            p.linear(f"{path}.mlp.3", width, 4 * width)
        if stage < 7:
            p.linear(f"features.{stage + 1}.reduction", 2 * width, 4 * width, bias=False)
            p.norm(f"features.{stage + 1}.norm", 4 * width)
    p.norm("norm", 768)
    p.linear("head", 1000, 768)


def yolo(p: Parameters) -> None:
    width = 3
    for layer in range(10):
        out = 32 << min(layer // 2, 4)
        p.conv(f"model.{layer}.conv", out, width, 3, 3)
        p.batch_norm(f"model.{layer}.bn", out)
        p.conv(f"model.{layer}.m.0.cv1.conv", out, out, 1, 1)
        p.batch_norm(f"model.{layer}.m.0.cv1.bn", out)
        width = out
    p.keep("model.24.anchors", (3, 3, 2))
    for scale, into in enumerate([128, 256, 512]):
        p.conv(f"model.24.m.{scale}", 255, into, 1, 1, bias=True)


def bert(p: Parameters) -> None:
    p.keep("bert.embeddings.position_ids", (1, 512))
    for table, rows in [("word", 30522), ("position", 512), ("token_type", 2)]:
        p.embedding(f"bert.embeddings.{table}_embeddings", rows, 768)
    p.norm("bert.embeddings.LayerNorm", 768)
    for layer in range(12):
        path = f"bert.encoder.layer.{layer}"
        for part in ("query", "key", "value"):
            p.linear(f"{path}.attention.self.{part}", 768, 768)
        p.linear(f"{path}.attention.output.dense", 768, 768)
        p.norm(f"{path}.attention.output.LayerNorm", 768)
        p.linear(f"{path}.intermediate.dense", 3072, 768)
        p.linear(f"{path}.output.dense", 768, 3072)
        p.norm(f"{path}.output.LayerNorm", 768)
    p.linear("bert.pooler.dense", 768, 768)
    p.keep("cls.predictions.bias", (30522,))
    p.linear("cls.predictions.transform.dense", 768, 768)
    p.norm("cls.predictions.transform.LayerNorm", 768)
    p.linear("cls.predictions.decoder", 30522, 768)
    p.linear("cls.seq_relationship", 2, 768)


def gpt2(p: Parameters) -> None:
    p.embedding("transformer.wte", 50257, 768)
    p.embedding("transformer.wpe", 1024, 768)
    for layer in range(12):
        path = f"transformer.h.{layer}"
        p.norm(f"{path}.ln_1", 768)
        p.keep(f"{path}.attn.bias", (1, 1, 1024, 1024))
        for name, into, out in [("attn.c_attn", 768, 2304), ("attn.c_proj", 768, 768)]:
            p.keep(f"{path}.{name}.weight", (into, out))
            p.keep(f"{path}.{name}.bias", (out,))
        p.norm(f"{path}.ln_2", 768)
        for name, into, out in [("mlp.c_fc", 768, 3072), ("mlp.c_proj", 3072, 768)]:
            p.keep(f"{path}.{name}.weight", (into, out))
            p.keep(f"{path}.{name}.bias", (out,))
    p.norm("transformer.ln_f", 768)
    p.linear("lm_head", 50257, 768, bias=False)


def llama(p: Parameters) -> None:
    p.embedding("model.embed_tokens", 32000, 4096)
    for layer in range(32):
        path = f"model.layers.{layer}"
        for part in "qkvo":
            p.linear(f"{path}.self_attn.{part}_proj", 4096, 4096, bias=False)
        p.keep(f"{path}.self_attn.rotary_emb.inv_freq", (64,))
        for part, out, into in [("gate", 11008, 4096), ("up", 11008, 4096), ("down", 4096, 11008)]:
            p.linear(f"{path}.mlp.{part}_proj", out, into, bias=False)
        p.rms_norm(f"{path}.input_layernorm", 4096)
        p.rms_norm(f"{path}.post_attention_layernorm", 4096)
    p.rms_norm("model.norm", 4096)
    p.linear("lm_head", 32000, 4096, bias=False)


def t5(p: Parameters) -> None:
    p.embedding("shared", 32128, 768)
    for side in ("encoder", "decoder"):
        p.embedding(f"{side}.embed_tokens", 32128, 768)
        for block in range(12):
            layers = (
                ["SelfAttention", "DenseReluDense"] if side == "encoder" else ["SelfAttention", "EncDecAttention", ""]
            )
            for number, layer in enumerate(layers):
                path = f"{side}.block.{block}.layer.{number}"
                if layer.endswith("Attention"):
                    for part in "qkvo":
                        p.linear(f"{path}.{layer}.{part}", 768, 768, bias=False)
                    if block == 0 and layer == "SelfAttention":
                        p.embedding(f"{path}.{layer}.relative_attention_bias", 32, 12)
                else:
                    p.linear(f"{path}.DenseReluDense.wi", 3072, 768, bias=False)
                    p.linear(f"{path}.DenseReluDense.wo", 768, 3072, bias=False)
                p.rms_norm(f"{path}.layer_norm", 768)
        p.rms_norm(f"{side}.final_layer_norm", 768)
    p.linear("lm_head", 32128, 768, bias=False)


def whisper(p: Parameters) -> None:
    p.conv("model.encoder.conv1", 512, 80, 3, bias=True)
    p.conv("model.encoder.conv2", 512, 512, 3, bias=True)
    p.embedding("model.encoder.embed_positions", 1500, 512)
    p.embedding("model.decoder.embed_tokens", 51865, 512)
    p.embedding("model.decoder.embed_positions", 448, 512)
    for side in ("encoder", "decoder"):
        for layer in range(6):
            path = f"model.{side}.layers.{layer}"
            for attention in ("self_attn", "encoder_attn")[: 1 if side == "encoder" else 2]:
                for part in "kvq":
                    p.linear(f"{path}.{attention}.{part}_proj", 512, 512, bias=part != "k")
                p.linear(f"{path}.{attention}.out_proj", 512, 512)
                p.norm(f"{path}.{attention}_layer_norm", 512)
            p.linear(f"{path}.fc1", 2048, 512)
            p.linear(f"{path}.fc2", 512, 2048)
            p.norm(f"{path}.final_layer_norm", 512)
        p.norm(f"model.{side}.layer_norm", 512)
    p.linear("proj_out", 51865, 512, bias=False)


def face_recognition(p: Parameters) -> None:
    p.conv("conv1", 64, 3, 3, 3)
    p.batch_norm("bn1", 64)
    p.rename("prelu.weight", "prelu.w", (64,))
    for block in range(3):
        p.batch_norm(f"layer1.{block}.bn1", 64)
        p.conv(f"layer1.{block}.conv1", 64, 64, 3, 3)
        p.rename(f"layer1.{block}.prelu.weight", f"layer1.{block}.prelu.w", (64,))
    p.linear("fc", 512, 25088)
    p.batch_norm("features", 512)


def video(p: Parameters) -> None:
    p.conv("stem.0", 64, 3, 3, 7, 7)
    p.batch_norm("stem.1", 64, inner="bn2d.")
    for block in range(2):
        p.conv(f"layer1.{block}.conv1.0", 64, 64, 3, 3, 3)
        p.batch_norm(f"layer1.{block}.conv1.1", 64, inner="bn2d.")
    p.linear("fc", 400, 512)


def lstm_tagger(p: Parameters) -> None:
    p.embedding("word_embedding", 20000, 100)
    for suffix in ("l0", "l0_reverse", "l1", "l1_reverse"):
        into = 100 if "l0" in suffix else 400
        p.keep(f"lstm.weight_ih_{suffix}", (800, into))
        p.keep(f"lstm.weight_hh_{suffix}", (800, 200))
        p.keep(f"lstm.bias_ih_{suffix}", (800,))
        p.keep(f"lstm.bias_hh_{suffix}", (800,))
    p.linear("hidden2tag", 17, 400)
    p.keep("crf.transitions", (17, 17))


def speech(p: Parameters) -> None:
    for layer in range(7):
        p.conv(f"wav2vec2.feature_extractor.conv_layers.{layer}.conv", 512, 512 if layer else 1, 3 if layer else 10)
    p.norm("wav2vec2.feature_extractor.conv_layers.0.layer_norm", 512)
    path = "wav2vec2.encoder.pos_conv_embed.conv"
    p.torch[f"{path}.parametrizations.weight.original0"] = (1, 1, 128)
    p.torch[f"{path}.parametrizations.weight.original1"] = (768, 48, 128)
    p.keep(f"{path}.bias", (768,))
    p.mindspore[f"{path}.weight"] = (768, 48, 1, 128)
    p.linear("wav2vec2.feature_projection.projection", 768, 512)
    p.keep("wav2vec2.masked_spec_embed", (768,))


ARCHITECTURES = [resnet50, densenet121, mobilenet_v3, efficientnet_b0, vit_b_16, swin_t, yolo, bert, gpt2, llama, t5]
ARCHITECTURES += [whisper, face_recognition, video, lstm_tagger, speech]


def checkpoint(shapes: dict[str, Shape], form: str) -> Checkpoint:
    """A checkpoint of which only names, types and shapes are there."""
    made = Checkpoint(Path("x"), form)
    for name, shape in shapes.items():
        counts = name.endswith(("num_batches_tracked", "position_ids", "index"))
        element = of_dtype(torch.int64 if counts else torch.float32, name)
        made.entries[name] = computed(name, element.name, shape, lambda: pytest.fail("a plan reads no values"))
    return made


@pytest.mark.parametrize("build", ARCHITECTURES, ids=lambda build: build.__name__)
def test_torch_names_become_mindspore_names(build: Callable[[Parameters], None]):
    build(p := Parameters())
    made = plan(checkpoint(p.torch, "pth"), Options(to="mindspore"))
    assert {one.name: one.shape for one in made.entries} == p.mindspore


@pytest.mark.parametrize("build", ARCHITECTURES, ids=lambda build: build.__name__)
def test_mindspore_names_become_torch_names(build: Callable[[Parameters], None]):
    build(p := Parameters())
    made = plan(checkpoint(p.mindspore, "ckpt"), Options(to="torch"))
    expected = {
        name.replace("parametrizations.weight.original1", "weight"): shape
        for name, shape in p.torch.items()
        if not name.endswith(("num_batches_tracked", "original0"))
    }
    assert {one.name: one.shape for one in made.entries} == expected


def test_what_is_guessed_is_said():
    build = Parameters()
    build.linear("fc", 3, 2)
    build.norm("ln", 3)
    build.batch_norm("bn", 3)
    build.embedding("embed", 5, 3)
    outcomes = plan(checkpoint(build.torch, "pth"), Options(to="mindspore")).outcomes
    assert {one.sources[0] for one in outcomes if one.guessed} == {"ln.weight", "ln.bias", "embed.weight"}
    assert {one.reason for one in outcomes if one.guessed} == {"LayerNorm, GroupNorm or InstanceNorm", "Embedding"}


def test_training_state_is_told_from_weights_of_the_same_name():
    shapes = {
        "linear.weight": (2, 2),
        "linear.bias": (2,),
        "moments.linear.weight": (2, 2),
        "moments.linear.bias": (2,),
    }
    shapes |= {"learning_rate": (), "learning_rate_group_0": (), "global_step": (1,)}
    made = plan(checkpoint(shapes, "ckpt"), Options(to="torch"))
    assert [one.name for one in made.entries] == ["linear.weight", "linear.bias"]
