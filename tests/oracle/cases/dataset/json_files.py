"""CLUE and SQuAD files, odd or damaged."""

# ruff: noqa: E501, F401

import json

import mindspore.dataset as ds

from tests.oracle.case import each
from tests.oracle.cases.dataset._files import case_context, rows, write

ONE = {"shuffle": False, "num_parallel_workers": 1}


def R(data):
    return [data.get_col_names(), rows(data)]


def clue(text, task="AFQMC", usage="train", **options):
    write("a.json", text)
    data = ds.CLUEDataset("a.json", task, usage, **ONE, **options)
    return [data.get_dataset_size(), R(data)]


def squad(text, **options):
    write("train-v1.1.json", text if isinstance(text, (str, bytes)) else json.dumps(text))
    data = ds.SQuADDataset(".", "train", **ONE, **options)
    return [data.get_dataset_size(), R(data)]


def qa(questions):
    return {"data": [{"title": "t", "paragraphs": [{"context": "c", "qas": questions}]}]}


CASES = each(
    r"""
clue('{"sentence1":"a","sentence2":"b","label":"0"}')
clue('{"sentence1":"a","sentence2":"b","label":0}')
clue('{"sentence1":"a","sentence2":"b","label":1.5}')
clue('{"sentence1":"a","sentence2":"b","label":["x"]}')
clue('{"sentence1":"a","sentence2":"b"}')
clue('{"sentence1":"a","sentence2":"b","label":"0","more":[1]}\r\n')
clue('\ufeff{"sentence1":"a","sentence2":"b","label":"0"}\n')
clue('\n\n{"sentence1":"a","sentence2":"b","label":"0"}\n\n\n')
clue(' {"sentence1":"a","sentence2":"b","label":"0"} \n')
clue('[{"sentence1":"a","sentence2":"b","label":"0"}]\n')
clue('[]\n')
clue('3\n')
clue('null\n')
clue('{}\n')
clue('{"sentence1":"\\u00e9\\n","sentence2":"b","label":"0"}\n')
clue('{"sentence1":"a","sentence2":"b","label":"0"},\n')
clue('{"sentence1":"a","sentence2":"b","label":"0"} x\n')
clue("{'sentence1':'a'}\n")
clue('{"label":102,"label_desc":"n","sentence":"s","keywords":"k"}\n', "TNEWS")
clue('{"label":12,"label_des":"d","sentence":"s"}\n', "IFLYTEK")
clue('{"id":"1","abst":"a","keyword":["k"],"label":1}\n', "CSL")
clue('{"id":1,"abst":"a","keyword":[],"label":"1"}\n', "CSL")
clue('{"id":1,"abst":"a","keyword":"k","label":"1"}\n', "CSL")
clue('{"id":1,"abst":"a","keyword":[1,2],"label":"1"}\n', "CSL")
clue('{"target":{"span1_index":0,"span2_index":1,"span1_text":"a","span2_text":"b"},"label":"false","text":"t"}\n', "WSC")
clue('{"target":{"span1_index":0},"label":"false","text":"t","idx":0}\n', "WSC")
clue('{"target":3,"label":"false","text":"t","idx":0}\n', "WSC")
clue('{"id":"x","sentence1":"a","sentence2":"b"}\n', "AFQMC", "test")
clue('{"id":-1,"sentence1":"a","sentence2":"b"}\n', "AFQMC", "test")
clue('{"id":5000000000,"sentence1":"a","sentence2":"b"}\n', "AFQMC", "test")
clue('{"id":1,"sentence1":"a","sentence2":"b"}\n', "AFQMC", "eval")
clue('{"sentence1":"a","sentence2":"b","label":"0"}\n', "afqmc")
clue('{"sentence1":"a","sentence2":"b","label":"0"}\n', "AFQMC", "valid")
clue('{"sentence1":"a","sentence2":"b","label":"0"}\n', None, None)
clue('{"sentence1":"a","sentence1":"z","sentence2":"b","label":"0"}\n')
clue('{"sentence1":"a","sentence2":"b","label":NaN}\n')
clue(b'{"sentence1":"\xe9","sentence2":"b","label":"0"}\n')
clue('{"sentence1":"","sentence2":"b","label":""}\n')
squad(qa([{"question": "q", "answers": [{"text": "a", "answer_start": 3}]}]))
squad("\ufeff" + json.dumps(qa([{"question": "q", "answers": [{"text": "a", "answer_start": 3}]}])))
squad(json.dumps(qa([{"question": "q", "answers": [{"text": "a", "answer_start": 3}]}]), indent=2).replace("\n", "\r\n"))
squad(qa([{"question": "q", "answers": []}]))
squad(qa([{"question": "q"}]))
squad(qa([{"answers": []}]))
squad(qa([]))
squad(qa([{"question": 3, "answers": []}]))
squad(qa([{"question": "q", "answers": [{"text": "a", "answer_start": "3"}]}]))
squad(qa([{"question": "q", "answers": [{"text": "a", "answer_start": -3}]}]))
squad(qa([{"question": "q", "answers": [{"text": "a", "answer_start": 1.7}]}]))
squad(qa([{"question": "q", "answers": [{"text": "a"}]}]))
squad(qa([{"question": "q", "answers": [{"answer_start": 3}]}]))
squad(qa([{"question": "q", "answers": {"text": ["a"], "answer_start": [3]}}]))
squad(qa([{"question": "q", "answers": [{"text": None, "answer_start": 3}]}]))
squad(qa([{"question": "q", "answers": None}]))
squad(qa([{"question": "é\n", "answers": [{"text": "ü", "answer_start": 0}]}]))
squad({"version": "1.1", "data": []})
squad({"version": "1.1"})
squad([])
squad("")
squad("{")
squad("{} x")
squad({"data": [{"paragraphs": [{"context": 3, "qas": [{"question": "q", "answers": []}]}]}]})
squad({"data": [{"paragraphs": [{"context": None, "qas": [{"question": "q", "answers": []}]}]}]})
squad({"data": [{"paragraphs": [{"qas": [{"question": "q", "answers": []}]}]}]})
squad({"data": [{"paragraphs": None}]})
squad({"data": None})
squad({"data": [{"paragraphs": [{"context": "c", "qas": None}]}]})
squad({"data": [{"paragraphs": [{"context": "c", "qas": [{"question": True, "answers": []}]}]}]})
squad(qa([{"question": "q", "answers": "x"}]))
squad(qa([{"question": "q", "answers": 3}]))
squad(qa([{"question": "q", "answers": {}}]))
squad(qa([{"question": "q", "answers": [{"text": "a", "answer_start": True}]}]))
squad(qa([{"question": "q", "answers": [{"text": "a", "answer_start": None}]}]))
squad(qa([{"question": "q", "answers": [{"text": "a", "answer_start": 2**33}]}]))
squad(qa([{"question": "q", "answers": [{"text": "a", "answer_start": -1.7}]}]))
squad(qa([{"question": "q", "answers": [{"text": 1, "answer_start": 3}]}]))
squad(qa([{"question": "q", "answers": [[1]]}]))
squad('{"data": [], "x": NaN}')
squad('{"data": [{"paragraphs": [{"context": "c", "qas": [{"question": "q", "answers": [], "x": Infinity}]}]}]}')
squad({"data": {"paragraphs": []}})
""",
    may_raise=True,
)
