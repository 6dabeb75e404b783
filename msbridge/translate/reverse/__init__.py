"""MindSpore source becomes torch source: the same table, read backwards."""

from msbridge.translate.reverse.walker import *
