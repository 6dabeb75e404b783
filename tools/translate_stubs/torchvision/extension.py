"""Replaces torchvision/extension.py: the library of compiled operators, which MindSpore's replace."""


def _has_ops():
    return False


def _assert_has_ops():
    pass


def _check_cuda_version():
    return -1
