"""Name mapping without a model, on the parameter lists of known networks.

Judge: each list is built of layers whose kind is known; the expected names are those of the kind's row in
mappings/parameters.toml. Shapes are the published ones; no values are needed, as a plan reads none.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from msbridge.converters.checkpoint import Checkpoint
from msbridge.converters.conversion import Options, plan
from msbridge.converters.tensors.dtypes import of_dtype
from msbridge.converters.tensors.entry import make_lazy_entry

Shape = tuple[int, ...]
WHOLE = ("weight_v", "weight_orig", "original", "original1")  # the part of a folded weight that has its shape


class Parameters:
    """A parameter list under construction: torch's names and shapes, and what MindSpore's must be."""

    def __init__(self):
        self.torch: dict[str, Shape] = {}
        self.mindspore: dict[str, Shape] = {}
        self.folded: dict[str, str] = {}
        self.parts: set[str] = set()

    def keep(self, name: str, shape: Shape) -> None:
        self.torch[name] = self.mindspore[name] = shape

    def rename(self, name: str, new: str, shape: Shape, moved: Shape | None = None) -> None:
        self.torch[name], self.mindspore[new] = shape, moved or shape

    def fold(self, name: str, parts: dict[str, Shape], moved: Shape, new: str = "") -> None:
        """Add a weight that torch keeps in parts."""
        path = name.removesuffix("weight")
        self.torch |= {path + leaf: shape for leaf, shape in parts.items()}
        self.mindspore[new or name] = moved
        self.folded |= {path + leaf: name for leaf in parts if leaf.rpartition(".")[2] in WHOLE}
        self.parts |= {path + leaf for leaf in parts}

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
    beside = "parametrizations.weight"
    parts = {f"{beside}.original0": (1, 1, 128), f"{beside}.original1": (768, 48, 128)}
    p.fold(f"{path}.weight", parts, (768, 48, 1, 128))
    p.keep(f"{path}.bias", (768,))
    p.linear("wav2vec2.feature_projection.projection", 768, 512)
    p.keep("wav2vec2.masked_spec_embed", (768,))


def convnext_tiny(p: Parameters) -> None:
    p.conv("stem.0", 96, 3, 4, 4, bias=True)
    p.norm("stem.1", 96)
    for stage, (blocks, width) in enumerate([(3, 96), (3, 192), (9, 384), (3, 768)]):
        if stage:
            p.norm(f"stages.{stage}.downsample.0", width // 2)
            p.conv(f"stages.{stage}.downsample.1", width, width // 2, 2, 2, bias=True)
        for block in range(blocks):
            path = f"stages.{stage}.blocks.{block}"
            p.keep(f"{path}.gamma", (width,))
            p.conv(f"{path}.conv_dw", width, 1, 7, 7, bias=True)
            p.norm(f"{path}.norm", width)
            p.linear(f"{path}.mlp.fc1", 4 * width, width)
            p.linear(f"{path}.mlp.fc2", width, 4 * width)
    p.norm("head.norm", 768)
    p.linear("head.fc", 1000, 768)


def convnextv2_atto(p: Parameters) -> None:
    p.conv("embeddings.patch_embeddings", 40, 3, 4, 4, bias=True)
    for layer in range(2):
        path = f"encoder.stages.0.layers.{layer}"
        p.conv(f"{path}.dwconv", 40, 1, 7, 7, bias=True)
        p.norm(f"{path}.layernorm", 40)
        p.linear(f"{path}.pwconv1", 160, 40)
        for leaf in ("weight", "bias"):
            p.keep(f"{path}.grn.{leaf}", (1, 1, 1, 160))
        p.linear(f"{path}.pwconv2", 40, 160)


def inception_v3(p: Parameters) -> None:
    def unit(path: str, out: int, into: int, *kernel: int) -> None:
        p.conv(f"{path}.conv", out, into, *kernel)
        p.batch_norm(f"{path}.bn", out)

    unit("Conv2d_1a_3x3", 32, 3, 3, 3)
    unit("Mixed_6b.branch7x7_1", 128, 768, 1, 1)
    unit("Mixed_6b.branch7x7_2", 128, 128, 1, 7)
    unit("Mixed_6b.branch7x7_3", 192, 128, 7, 1)
    unit("Mixed_7b.branch3x3_2a", 384, 384, 1, 3)
    unit("Mixed_7b.branch3x3_2b", 384, 384, 3, 1)
    p.linear("fc", 1000, 2048)


def squeezenet(p: Parameters) -> None:
    p.conv("features.0", 96, 3, 7, 7, bias=True)
    for number, (into, squeeze, out) in enumerate([(96, 16, 64), (128, 16, 64), (128, 32, 128)], 3):
        p.conv(f"features.{number}.squeeze", squeeze, into, 1, 1, bias=True)
        p.conv(f"features.{number}.expand1x1", out, squeeze, 1, 1, bias=True)
        p.conv(f"features.{number}.expand3x3", out, squeeze, 3, 3, bias=True)
    p.conv("classifier.1", 1000, 512, 1, 1, bias=True)


def eca_resnet(p: Parameters) -> None:
    p.conv("conv1.0", 32, 3, 3, 3)
    p.batch_norm("bn1", 32)
    p.conv("layer1.0.conv1", 64, 64, 1, 1)
    p.conv("layer1.0.se.conv", 1, 1, 3)
    p.linear("fc", 1000, 2048)


def raft(p: Parameters) -> None:
    for kernel, number in [((1, 5), 1), ((5, 1), 2)]:
        for gate in "zrq":
            p.conv(f"update_block.recurrent_block.convgru{number}.conv{gate}", 128, 384, *kernel, bias=True)


def mask_rcnn(p: Parameters) -> None:
    p.conv("backbone.body.conv1", 64, 3, 7, 7)
    for old, new in {
        "weight": "gamma",
        "bias": "beta",
        "running_mean": "moving_mean",
        "running_var": "moving_variance",
    }.items():
        p.rename(f"backbone.body.bn1.{old}", f"backbone.body.bn1.{new}", (64,))  # frozen: it counts no batches
    p.conv("backbone.fpn.inner_blocks.0.0", 256, 256, 1, 1, bias=True)
    p.conv("rpn.head.cls_logits", 3, 256, 1, 1, bias=True)
    p.linear("roi_heads.box_predictor.cls_score", 91, 1024)
    p.conv("roi_heads.mask_predictor.conv5_mask", 256, 256, 2, 2, bias=True)


def detr(p: Parameters) -> None:
    p.conv("input_proj", 256, 2048, 1, 1, bias=True)
    p.conv("backbone.0.body.conv1", 64, 3, 7, 7)
    p.embedding("query_embed", 100, 256)
    for name, out in [("in_proj_weight", (768, 256)), ("in_proj_bias", (768,))]:
        p.keep(f"transformer.encoder.layers.0.self_attn.{name}", out)
    p.linear("transformer.encoder.layers.0.self_attn.out_proj", 256, 256)
    for number, (out, into) in [(1, (2048, 256)), (2, (256, 2048))]:
        for leaf, shape in [("weight", (out, into)), ("bias", (out,))]:
            path = "transformer.encoder.layers.0"
            p.rename(f"{path}.linear{number}.{leaf}", f"{path}.dense{number}.{leaf}", shape)
    p.linear("class_embed", 92, 256)
    p.linear("bbox_embed.layers.0", 256, 256)


def clip(p: Parameters) -> None:
    p.keep("logit_scale", ())
    p.keep("text_projection", (512, 512))
    p.keep("visual.class_embedding", (768,))
    p.keep("visual.positional_embedding", (50, 768))
    p.keep("visual.proj", (768, 512))
    p.conv("visual.conv1", 768, 3, 32, 32)
    p.norm("visual.ln_pre", 768)
    p.keep("visual.transformer.resblocks.0.attn.in_proj_weight", (2304, 768))
    p.linear("visual.transformer.resblocks.0.mlp.c_fc", 3072, 768)
    p.embedding("token_embedding", 49408, 512)
    p.norm("ln_final", 512)


def stable_diffusion_unet(p: Parameters) -> None:
    p.conv("conv_in", 320, 4, 3, 3, bias=True)
    p.linear("time_embedding.linear_1", 1280, 320)
    path = "down_blocks.0.resnets.0"
    p.norm(f"{path}.norm1", 320)
    p.conv(f"{path}.conv1", 320, 320, 3, 3, bias=True)
    p.linear(f"{path}.time_emb_proj", 320, 1280)
    path = "down_blocks.0.attentions.0.transformer_blocks.0"
    for part in "qkv":
        p.linear(f"{path}.attn1.to_{part}", 320, 320, bias=False)
    p.linear(f"{path}.attn1.to_out.0", 320, 320)
    p.linear(f"{path}.ff.net.0.proj", 2560, 320)
    p.norm("conv_norm_out", 320)


def mamba(p: Parameters) -> None:
    p.embedding("backbone.embeddings", 50280, 768)
    for layer in range(2):
        path = f"backbone.layers.{layer}"
        p.rms_norm(f"{path}.norm", 768)
        p.keep(f"{path}.mixer.A_log", (1536, 16))
        p.keep(f"{path}.mixer.D", (1536,))
        p.conv(f"{path}.mixer.conv1d", 1536, 1, 4, bias=True)
        p.linear(f"{path}.mixer.in_proj", 3072, 768, bias=False)
        p.linear(f"{path}.mixer.x_proj", 80, 1536, bias=False)
        p.linear(f"{path}.mixer.dt_proj", 1536, 48)
    p.rms_norm("backbone.norm_f", 768)


def mixtral(p: Parameters) -> None:
    p.embedding("model.embed_tokens", 32000, 4096)
    path = "model.layers.0.block_sparse_moe"
    p.linear(f"{path}.gate", 8, 4096, bias=False)
    for expert in range(8):
        p.linear(f"{path}.experts.{expert}.w1", 14336, 4096, bias=False)
        p.linear(f"{path}.experts.{expert}.w2", 4096, 14336, bias=False)
    p.rms_norm("model.norm", 4096)


def xlnet(p: Parameters) -> None:
    p.keep("transformer.mask_emb", (1, 1, 768))
    p.embedding("transformer.word_embedding", 32000, 768)
    for part in "qkvor":
        p.keep(f"transformer.layer.0.rel_attn.{part}", (768, 12, 64))
    p.norm("transformer.layer.0.rel_attn.layer_norm", 768)
    p.linear("transformer.layer.0.ff.layer_1", 3072, 768)


def temporal_convolutions(p: Parameters) -> None:
    for block, (into, out) in enumerate([(10, 25), (25, 25)]):
        for conv, inner in [("conv1", into), ("conv2", out)]:
            path = f"tcn.network.{block}.{conv}"
            p.fold(f"{path}.weight", {"weight_g": (out, 1, 1), "weight_v": (out, inner, 2)}, (out, inner, 1, 2))
            p.keep(f"{path}.bias", (out,))
    p.conv("tcn.network.0.downsample", 25, 10, 1, bias=True)
    p.linear("linear", 10, 25)


def spectral_gan(p: Parameters) -> None:
    parts = {"weight_orig": (64, 3, 4, 4), "weight_u": (64,), "weight_v": (48,)}
    p.fold("l1.weight", parts, (64, 3, 4, 4))
    parts = {"weight_orig": (128, 64, 4, 4), "weight_u": (64,), "weight_v": (2048,)}
    p.fold("up.weight", parts, (128, 64, 4, 4))  # transposed: the first vector goes with the second axis
    beside = "parametrizations.weight"
    parts = {f"{beside}.original": (1, 128), f"{beside}.0._u": (1,), f"{beside}.0._v": (128,)}
    p.fold("fc.weight", parts, (1, 128))
    parts = {f"{beside}.original": (10, 128), f"{beside}.0._u": (10,), f"{beside}.0._v": (128,)}
    p.fold("class_embed.weight", parts, (10, 128), "class_embed.embedding_table")
    p.conv("out", 3, 64, 3, 3, bias=True)


def nerf(p: Parameters) -> None:
    for layer in range(8):
        p.linear(f"pts_linears.{layer}", 256, 319 if layer == 5 else 256 if layer else 63)
    p.linear("alpha_linear", 1, 256)


def point_net(p: Parameters) -> None:
    for number, (out, into) in enumerate([(64, 3), (128, 64), (1024, 128)], 1):
        p.keep(f"feat.mlp{number}.weight", (out, into, 1, 1))
        p.batch_norm(f"feat.bn{number}", out)
    p.linear("fc1", 512, 1024)


def graph_net(p: Parameters) -> None:
    for number, rows in enumerate([119, 4]):
        p.embedding(f"atom_encoder.atom_embedding_list.{number}", rows, 300)
    p.linear("convs.0.mlp.0", 600, 300)
    p.batch_norm("convs.0.mlp.1", 600)
    p.keep("convs.0.eps", (1,))
    p.batch_norm("batch_norms.0", 300)


def audio_and_video(p: Parameters) -> None:
    p.conv("audio.conv1", 64, 40, 5)
    p.conv("audio.conv2", 64, 64, 3)
    p.conv("video.conv1", 64, 3, 7, 7)
    p.conv("video.conv2", 64, 64, 3, 3)


def evo_norm(p: Parameters) -> None:
    p.conv("stem.0.conv", 64, 3, 3, 3)
    for leaf in ("weight", "bias", "v"):
        p.keep(f"stem.0.bn.{leaf}", (64,))


def recommender(p: Parameters) -> None:
    p.linear("user_factors", 943, 64, bias=False)  # a table, which no word of its name tells: it keeps its name
    p.embedding("embed_item_MLP", 1682, 64)
    p.linear("quantizer.codebook", 1024, 8, bias=False)  # likewise
    p.linear("embeds_mapper", 1536, 1024, bias=False)
    p.linear("predict_layer", 1, 64)


ARCHITECTURES = [resnet50, densenet121, mobilenet_v3, efficientnet_b0, vit_b_16, swin_t, yolo, bert, gpt2, llama, t5]
ARCHITECTURES += [whisper, face_recognition, video, lstm_tagger, speech]
ARCHITECTURES += [convnext_tiny, convnextv2_atto, inception_v3, squeezenet, eca_resnet, raft, mask_rcnn, detr, clip]
ARCHITECTURES += [stable_diffusion_unet, mamba, mixtral, xlnet, temporal_convolutions, spectral_gan, nerf, point_net]
ARCHITECTURES += [graph_net, audio_and_video, evo_norm, recommender]


def checkpoint(shapes: dict[str, Shape], form: str) -> Checkpoint:
    """A checkpoint of which only names, types and shapes are there."""
    made = Checkpoint(Path("x"), form)
    for name, shape in shapes.items():
        counts = name.endswith(("num_batches_tracked", "position_ids", "index"))
        element = of_dtype(torch.int64 if counts else torch.float32, name)
        made.entries[name] = make_lazy_entry(name, element.name, shape, lambda: pytest.fail("a plan reads no values"))
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
    dropped = {name for name in p.torch if name.endswith("num_batches_tracked")} | p.parts
    expected = {name: shape for name, shape in p.torch.items() if name not in dropped}
    expected |= {name: shape for part, name in p.folded.items() if len(shape := p.torch[part]) > 1}
    assert {one.name: one.shape for one in made.entries} == expected


def test_what_is_guessed_is_said():
    build = Parameters()
    build.linear("fc", 3, 2)
    build.norm("ln", 3)
    build.batch_norm("bn", 3)
    build.embedding("embed", 5, 3)
    outcomes = plan(checkpoint(build.torch, "pth"), Options(to="mindspore")).outcomes
    assert {one.sources[0] for one in outcomes if one.guessed} == {"ln.weight", "ln.bias", "embed.weight"}
    reasons = {one.sources[0]: one.reason for one in outcomes if one.guessed}
    assert reasons["ln.weight"].startswith("LayerNorm, GroupNorm or InstanceNorm: weight and bias are vectors")
    assert reasons["embed.weight"] == "Embedding: its name says so and it has no bias; else a Linear"


OPEN = [
    ("torch", {"thing.weight": (9, 4)}, "Linear: without bias; else an Embedding"),
    ("torch", {"user_factors.weight": (9, 4)}, "Linear: without bias; else an Embedding"),
    ("torch", {"quantizer.codebook.weight": (9, 4)}, "Linear: without bias; else an Embedding"),
    ("torch", {"norm.weight": (4,)}, "RMSNorm: .* where a LayerNorm's would be gamma"),
    ("torch", {"ls.weight": (4,), "ls.bias": (4,), "ls.v": (4,)}, "a layer that MindSpore does not have: .*'v'"),
    ("mindspore", {"a.weight": (4, 3, 1, 5), "b.weight": (4, 3, 5, 1)}, "Conv2d: a kernel of 1×5 beside higher ones"),
    ("mindspore", {"a.weight": (4, 3, 1, 1)}, "Conv2d: all kernels of the file are 1×1; else a Conv1d"),
    ("mindspore", {"block.gamma": (4,)}, "it has gamma without the beta"),
]


@pytest.mark.parametrize(("of", "shapes", "says"), OPEN)
def test_what_keeps_its_name_by_a_guess_is_said_too(of: str, shapes: dict[str, Shape], says: str):
    to, form = ("mindspore", "pth") if of == "torch" else ("torch", "ckpt")
    first = plan(checkpoint(shapes, form), Options(to=to)).outcomes[0]
    assert first.status == "kept"
    assert re.search(says, first.reason)
    assert first.guessed


SURE = [
    {"fc.weight": (4, 3), "fc.bias": (4,)},
    {"conv.weight": (4, 3, 3, 3)},
    {"bn.running_mean": (3,), "bn.running_var": (3,), "bn.weight": (3,), "bn.bias": (3,)},
    {"layer.q_proj.weight": (4, 4)},
]


@pytest.mark.parametrize("shapes", SURE)
def test_what_shapes_and_names_show_is_no_guess(shapes: dict[str, Shape]):
    assert not any(one.guessed for one in plan(checkpoint(shapes, "pth"), Options(to="mindspore")).outcomes)


def test_extra_state_of_torch_modules_is_dropped():
    made = plan(checkpoint({"a._extra_state": (7,), "a.weight": (2, 2)}, "pth"), Options(to="mindspore"))
    assert [one.name for one in made.entries] == ["a.weight"]


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
