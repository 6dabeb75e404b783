"""CUDA graphs of the steps of a sink."""

from msbridge.device.capture.choice import objection
from msbridge.device.capture.recorders import cuda_recorder
from msbridge.device.capture.ring import LossRing
from msbridge.device.capture.step import CapturedStep, CaptureWarning, released

__all__ = ["CaptureWarning", "CapturedStep", "LossRing", "cuda_recorder", "objection", "released"]
