"""Transforms of text, vocabularies and vectors of words.

Follows: mindspore.dataset.text (2.10).
"""

from msbridge.dataset.text.bert import *
from msbridge.dataset.text.byte_strings import *
from msbridge.dataset.text.enums import *
from msbridge.dataset.text.jieba import *
from msbridge.dataset.text.lookup import *
from msbridge.dataset.text.normalize import *
from msbridge.dataset.text.numbers import *
from msbridge.dataset.text.regex_transforms import *
from msbridge.dataset.text.sentence_piece import *
from msbridge.dataset.text.split import *
from msbridge.dataset.text.token_sequences import *
from msbridge.dataset.text.vectors import *
from msbridge.dataset.text.vocab import *
from msbridge.dataset.text.wikipedia import *
from msbridge.dataset.text.wordpiece import *
