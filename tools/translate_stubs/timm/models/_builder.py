"""Replaces timm/models/_builder.py: settings that come with published weights, and their download."""

import sys

FIXED = ("num_classes", "global_pool")


def resolve_pretrained_cfg(variant, pretrained_cfg=None, pretrained_cfg_overlay=None):
    return None


def pretrained_cfg_for_features(pretrained_cfg):
    return pretrained_cfg


def build_model_with_cfg(model_cls, variant, pretrained, model_cfg=None, kwargs_filter=None, **kwargs):
    for name in (
        "pretrained_cfg",
        "pretrained_cfg_overlay",
        "feature_cfg",
        "pretrained_strict",
        "pretrained_filter_fn",
        "cache_dir",
        "pretrained_model_args",
    ):
        kwargs.pop(name, None)
    settings = _settings(sys._getframe(1), variant)
    for name in FIXED:
        if settings.get(name) is not None:
            kwargs.setdefault(name, settings[name])
    size = settings.get("input_size", (3, 224, 224))
    kwargs.setdefault("in_chans", size[0])
    if settings.get("fixed_input_size"):
        kwargs.setdefault("img_size", tuple(size[-2:]))
    for name in kwargs_filter or ():
        kwargs.pop(name, None)
    return model_cls(**kwargs) if model_cfg is None else model_cls(cfg=model_cfg, **kwargs)


def _settings(frame, variant):
    """Return the settings of a network's first published weights, which its file lists."""
    listed = frame.f_globals.get("default_cfgs", {})
    return next((one for name, one in listed.items() if name.partition(".")[0] == variant), {})
