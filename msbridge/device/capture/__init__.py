"""CUDA graphs of the steps of a sink."""

from msbridge.device.capture.choice import objection
from msbridge.device.capture.recorders import cuda_recorder
from msbridge.device.capture.ring import LossRing
from msbridge.device.capture.step import CapturedStep, CaptureWarning, copy_results

__all__ = ["CaptureWarning", "CapturedStep", "LossRing", "copy_results", "cuda_recorder", "objection"]
