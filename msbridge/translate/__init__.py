"""Torch source becomes MindSpore source: the author's text stays, only what has to change is changed."""

from msbridge.translate.translation import *
from msbridge.translate.translator import *
