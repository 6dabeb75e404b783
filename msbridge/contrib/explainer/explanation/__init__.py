"""Methods that attribute the score of a class to the pixels of an image."""

from msbridge.contrib.explainer.explanation.gradients import Deconvolution, GradCAM, Gradient, GuidedBackprop
from msbridge.contrib.explainer.explanation.occlusion import Occlusion
from msbridge.contrib.explainer.explanation.sampling import RISE

__all__ = ["RISE", "Deconvolution", "GradCAM", "Gradient", "GuidedBackprop", "Occlusion"]
