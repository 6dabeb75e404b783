"""Measures of how good explanations are."""

from msbridge.explainer.benchmark.faithfulness import Faithfulness
from msbridge.explainer.benchmark.localization import Localization
from msbridge.explainer.benchmark.robustness import Robustness
from msbridge.explainer.benchmark.sensitivity import ClassSensitivity

__all__ = ["ClassSensitivity", "Faithfulness", "Localization", "Robustness"]
