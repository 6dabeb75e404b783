"""Small folders of files in the forms that data sets are published in: what both sides read."""

import gzip
import json
import struct
import zlib
from collections.abc import Callable
from typing import Any

from tests.dataset.tfrecords import example, field, record, tfrecord

Files = dict[str, bytes]


def texts(**files: str) -> Files:
    """Text files by name; `__` in a name is a dot, `___` a slash."""
    return {name.replace("___", "/").replace("__", "."): text.encode() for name, text in files.items()}


def lines(*names: str) -> Files:
    counts = {"a": 5, "b": 2, "c": 7}
    return {f"{name}.txt": "".join(f"{name}{i}\n" for i in range(counts[name])).encode() for name in names}


TAGGED = "Conf NN B-NP\nin IN B-PP\n\nthe DT B-NP\n\n"
UNIVERSAL = "Al\tPROPN\tNNP\n-\tPUNCT\tHYPH\n\n{0}\tX\tY\n\n"
QUESTIONS = {
    "data": [
        {
            "title": "T",
            "paragraphs": [
                {
                    "context": "ctx {0}",
                    "qas": [
                        {
                            "question": "q1",
                            "answers": [{"text": "a", "answer_start": 3}, {"text": "bé", "answer_start": 5}],
                        },
                        {"question": "q2", "answers": [], "is_impossible": True},
                    ],
                },
                {"context": "c2", "qas": []},
            ],
        },
        {"paragraphs": [{"context": "c3", "qas": [{"question": "q3", "answers": [{"text": "z", "answer_start": 0}]}]}]},
    ]
}


def questions(part: str) -> str:
    return json.dumps(QUESTIONS).replace("{0}", part)


def spoken(folder: str, name: str, sets: list[str]) -> Files:
    """An IWSLT folder of German and English."""
    files = {}
    for language in ("de", "en"):
        tagged = "<url>http</url>\n<title>x</title>\n" + "".join(f" {language} line {i} \n" for i in range(3))
        files[f"{folder}/train.tags.de-en.{language}"] = (tagged + "<reviewer></reviewer>\n").encode()
        for each in sets:
            segments = "".join(f'<seg id="{i}"> {language} {each} &amp; {i} </seg>\n' for i in range(2))
            xml = (
                f'<?xml version="1.0" encoding="UTF-8"?>\n<mteval>\n<srcset setid="a" srclang="{language}">\n'
                f'<doc docid="1" genre="l">\n<title>t</title>\n{segments}</doc>\n'
                '<doc docid="2"><seg id="1">second</seg></doc></srcset>\n</mteval>\n'
            )
            files[f"{folder}/{name}.TED.{each}.de-en.{language}.xml"] = xml.encode()
    return files


def json_lines(*rows: Any) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


SPANS = {"span2_index": 28, "span1_index": 0, "span1_text": "S", "span2_text": "T"}
PAIR = {"sentence1": "a", "sentence2": "é", "label": "0"}


def clue() -> Files:
    return texts(
        afqmc__json=json_lines(PAIR, {"id": 1, **PAIR}) + "\n",
        afqmc_test__json=json_lines({"id": 3, "sentence1": "a", "sentence2": "b"}),
        tnews__json=json_lines({"label": "102", "label_desc": "news", "sentence": "s", "keywords": "k"}),
        tnews_test__json=json_lines({"id": 1, "sentence": "s", "keywords": "k"}),
        cmnli__json=json_lines({"sentence1": "a", "sentence2": "b", "label": "neutral"}),
        cmnli_test__json=json_lines({"id": 1, "sentence1": "a", "sentence2": "b"}),
        iflytek__json=json_lines({"label": "12", "label_des": "d", "sentence": "s"}),
        iflytek_test__json=json_lines({"id": 1, "sentence": "s"}),
        csl__json=json_lines({"id": 1, "abst": "a", "keyword": ["k", "l"], "label": "1"}),
        csl_test__json=json_lines({"id": 2, "abst": "a", "keyword": ["k"]}),
        wsc__json=json_lines({"target": SPANS, "idx": 0, "label": "true", "text": "txt"}),
        wsc_test__json=json_lines({"target": SPANS, "id": 5, "text": "txt"}),
        cut__json='{"sentence1":"b",\n',
        numbers__json=json_lines({"sentence1": 3, "sentence2": "c", "label": 1}),
        lacking__json=json_lines({"sentence1": "a", "sentence2": "c"}),
        empty__json="",
    )


def records() -> Files:
    rows: list[dict[str, Any]] = [
        {
            "z": i,
            "a": [1.5, 2.5 * i],
            "s": f"héllo{i}",
            "m": ["ab", "c" * i],
            "v": list(range(i + 1)),
            "neg": -i,
            "big": [1 << 40, 300, 70000],
        }
        for i in range(3)
    ]
    raw = tfrecord(rows)
    first = 16 + len(example(rows[0]))
    flipped = {
        name: raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :] for name, at in (("length", 8), ("data", first - 1))
    }
    nothing = field(1, field(1, field(1, b"a") + field(2, field(3, b""))))
    return {
        "x.tf": raw,
        "missing.tf": tfrecord([{"a": 1, "b": 2}, {"a": 1}]),
        "extra.tf": tfrecord([{"a": 1}, {"a": 1, "b": 2}]),
        "float_behind_int.tf": tfrecord([{"a": 1}, {"a": 1.5}]),
        "string_behind_int.tf": tfrecord([{"a": 1}, {"a": "x"}]),
        "untyped.tf": tfrecord([{"a": [], "b": 1}, {"a": [3], "b": 1}]),
        "typed_and_empty.tf": tfrecord([nothing, nothing]),
        "unpacked.tf": record(example({"a": [1, 300, -1], "f": [1.5, 2.5]}, packed=False)),
        "no_text.tf": tfrecord([{"s": b"\xff\xfe"}]),
        "foot_cut.tf": raw[:-3],
        "head_cut.tf": raw[: first + 5],
        "data_cut.tf": raw[: first + 30],
        "empty.tf": b"",
        "other.tf": b"no tfrecord file either" * 9,
        "first_length.tf": flipped["length"],
        "first_data.tf": flipped["data"],
        "no_example.tf": raw + record(b"\x0a\xff\xff\xff"),
        "no_features.tf": record(b""),
        "trailing.tf": raw + bytes(7),
        "rank.json": json.dumps(
            {"datasetType": "TF", "numRows": 2, "columns": {"v": {"type": "int32", "rank": 1}}}
        ).encode(),
        "scalar.json": json.dumps({"columns": {"z": {"type": "int32", "rank": 0}}}).encode(),
        "no_rank.json": json.dumps({"columns": {"z": {"type": "int32"}}}).encode(),
        "no_type.json": json.dumps({"columns": {"z": {"rank": 1}}}).encode(),
        "bad.json": b'{"columns":',
    }


def sharded_records() -> Files:
    files = {}
    for name, count in (("a", 5), ("b", 2), ("c", 7)):
        files[f"{name}.tf"] = data = tfrecord({"t": f"{name}{i}"} for i in range(count))
        files[f"{name}.gz"], files[f"{name}.z"] = gzip.compress(data, mtime=0), zlib.compress(data)
    return files


def wave(count: int = 8, rate: int = 16000, start: int = -3, cut: int = 0) -> bytes:
    """A WAV file of 16 bits."""
    data = b"".join(struct.pack("<h", (start + number) * 7000) for number in range(count))
    head = struct.pack("<4sI4s4sIHHIIHH", b"RIFF", 36 + len(data), b"WAVE", b"fmt ", 16, 1, 1, rate, 2 * rate, 2, 16)
    return (head + b"data" + struct.pack("<I", len(data)) + data)[: -cut or None]


def libri(folder: str, name: str, rate: int = 24000) -> Files:
    talk = "_".join(name.split("_")[:2])
    return {
        f"{folder}/{talk}.trans.tsv": f"{name}\tOrig, text\tNorm\n".encode(),
        f"{folder}/{name}.wav": wave(rate=rate),
    }


COMMANDS = {
    "bed/00f_nohash_0.wav": wave(),
    "bed/00f_nohash_1.wav": wave(5),
    "cat/aaa_nohash_0.wav": wave(rate=8000),
    "dog/bbb_nohash_2.wav": wave(3),
    "_background_noise_/noise.wav": wave(),
    "validation_list.txt": b"cat/aaa_nohash_0.wav\n",
    "testing_list.txt": b"bed/00f_nohash_1.wav\n",
}
ARCTIC = '( arctic_a0001 "Author, Philip Steels, etc." )\n( arctic_a0002 "Not at this \'part\'." )\n'

NEWS = '"3","Title ""x""","Desc, one"\n"1","T2","D2"\n'
NEWS_TEST = '"2","t","d"\n"4","tt","dd"\n"1","a","b"\n'

LAYOUTS: dict[str, Callable[[], Files]] = {
    "lines": lambda: lines("a", "b", "c"),
    "odd_lines": lambda: texts(a="a\r\n\n b \n\t\nc\x00d", empty="", blank="\n\n") | {"no_text": b"\xff\xfe\n"},
    "tables": lambda: (
        texts(
            plain__csv="a,b\n1,2\n3,4\n",
            more__csv="a,b\n5,6\n",
            other__csv="c,d\n7,8\n",
            endings__csv="a,b\r\n1,2\r\n\r\n\n3,4\r5,6",
            quoted__csv='a,b\n"x,1",2\n"he said ""hi""",3\n"multi\nline",4\n"",5\n',
            names_only__csv="a,b\n",
            empty__csv="",
            quote_inside__csv='a,b\nx"y",2\n',
            behind_quote__csv='a,b\n"x"y,2\n',
            open_quote__csv='a,b\n1,2\n"x,2\n',
            only_open_quote__csv='a,b\n"x,2\n',
            short_row__csv="a,b\n1,2\n3\n",
            long_row__csv="a,b\n1,2\n3,4,5\n",
            spaces__csv=" a , b \n 1 , 2 \n",
            pipes__csv="a|b\n1|2\n",
            numbers__csv="a,b\n1,2.5\n-3,1e5\n+5,nan\n1.9,0.1\n 7 ,-inf\n12ab,3x\n0x10,0x1p3\n",
            no_number__csv="a,b\n1,2\nx,4\n",
            no_value__csv="a,b\n1,\n",
            too_large__csv="a,b\n99999999999,1\n",
            too_large_float__csv="a,b\n1,1e60\n",
            mark__csv="\ufeffa,b\n1,2\n",
            twice__csv="a,a\n1,2\n",
            blank_first__csv="\na,b\n1,2\n",
        )
        | {"no_text.csv": b"a,b\n\xff,2\n"}
    ),
    "news": lambda: texts(train__csv=NEWS, test__csv=NEWS_TEST),
    "reviews": lambda: texts(train__csv='"3","Tit""le"\n"4","b"\n', test__csv='"1","q"\n'),
    "answers": lambda: texts(train__csv='"3","T","c","ans"\n"4","b","","x\\ny"\n', test__csv='"1","q","w","e"\n'),
    "train_only": lambda: texts(train__csv=NEWS),
    "short_news": lambda: texts(train__csv='"1","2"\n', test__csv=""),
    "penn": lambda: {f"ptb.{u}.txt": f" {u} line \n\n {u} <unk> two\n".encode() for u in ("train", "test", "valid")},
    "wiki": lambda: {f"wiki.{u}.tokens": f" \n = {u} = \n\n of {u}\n \n".encode() for u in ("train", "test", "valid")},
    "enwik": lambda: texts(enwik9="<a>\n\n  <b>x</b>\n"),
    "nothing": lambda: texts(readme="x"),
    "tagged": lambda: texts(train__txt=TAGGED, test__txt="A B C\nD E F\n\n\nG H I\n\n"),
    "universal": lambda: {f"en-ud-tag.v2.{u}.txt": UNIVERSAL.format(u).encode() for u in ("train", "test", "dev")},
    "sentiment": lambda: {
        "train.tsv": b"sentence\tlabel\nhide new \t0\nit 's t\t1\n",
        "dev.tsv": b"sentence\tlabel\nx y \t1\n",
        "test.tsv": b"index\tsentence\n0\tuneasy m .\n1\tb\n",
    },
    "bad_sentiment": lambda: texts(train__tsv='sentence\tlabel\na "b" c\t0\n', dev__tsv="sentence\tlabel\na\n"),
    "squad": lambda: {f"{u}-v1.1.json": questions(u).encode() for u in ("train", "dev")},
    "squad_train": lambda: {"train-v2.0.json": questions("train").encode()},
    "bad_squad": lambda: {"train-v1.1.json": b"{bad", "dev-v1.1.json": b'{"data":[{"paragraphs":[{"qas":[]}]}]}'},
    "multi30k": lambda: {
        f"{folder}/{u}.{language}": f"{u} {language} one\n\n{u} {language} two\n".encode()
        for u, folder in (("train", "training"), ("val", "validation"), ("test", "mmt16_task1_test"))
        for language in ("en", "de")
    },
    "uneven_multi30k": lambda: {"training/train.en": b"a\n b \r\nc\n", "training/train.de": b"x\n\n"},
    "half_multi30k": lambda: {"training/train.en": b"a\n"},
    "iwslt2016": lambda: spoken("texts/de/en/de-en", "IWSLT16", ["dev2010", "tst2010", "tst2013", "tst2014"]),
    "iwslt2017": lambda: spoken("texts/DeEnItNlRo/DeEnItNlRo/DeEnItNlRo-DeEnItNlRo", "IWSLT17", ["dev2010", "tst2010"]),
    "imdb": lambda: {
        f"{u}/{label}/{name}.txt": f"{u} {label} {name}\nlast {u} {label} {name}".encode()
        for u in ("train", "test")
        for label in ("pos", "neg")
        for name in ("0_9", "10_8", "1_7")
    },
    "half_imdb": lambda: {"train/pos/1.txt": b"x"},
    "clue": clue,
    "records": records,
    "sharded_records": sharded_records,
    "yes_no": lambda: {"0_1_0_1_0_1_1_1.wav": wave(), "1_1_1_1_1_1_1_1.wav": wave(4, 8000), "readme": b"x"},
    "odd_yes_no": lambda: {"a_b.wav": wave()},
    "speech": lambda: {
        "metadata.csv": 'L-1|Printing, in|Printing\nL-2|a "q" 1|é one\n'.encode(),
        "wavs/L-1.wav": wave(),
        "wavs/L-2.wav": wave(rate=22050),
    },
    "speech_only": lambda: {"metadata.csv": b"L-1|a|b\n"},
    "genres": lambda: {
        f"{genre}/{genre}.{number:05d}.wav": wave(1, 22050, number % 5)
        for genre in ("blues", "jazz", "rock")
        for number in range(100)
    },
    "slow_genres": lambda: {"blues/blues.00000.wav": wave()},
    "libri": lambda: (
        libri("dev-clean/84/121123", "84_121123_000007_000001") | libri("test-other/1/2", "1_2_000003_000004")
    ),
    "slow_libri": lambda: libri("dev-clean/84/121123", "84_121123_000007_000001", 16000),
    "commands": lambda: COMMANDS,
    "odd_command": lambda: {"bed/odd.wav": wave()},
    "arctic": lambda: {
        "cmu_us_aew_arctic/etc/txt.done.data": ARCTIC.encode(),
        "cmu_us_aew_arctic/wav/arctic_a0001.wav": wave(),
        "cmu_us_aew_arctic/wav/arctic_a0002.wav": wave(5),
        "cmu_us_axb_arctic/etc/txt.done.data": b'(arctic_b0001 "X.")\n',
    },
    "talks": lambda: {
        f"{part}/{kind}/Ted_1.{kind}": (
            b"NIST_1A\n   1024\nsample_count -i 64\nsample_rate -i 16000\nend_head\n".ljust(1024) + bytes(128)
            if kind == "sph"
            else b"Ted_1 1 S1 0.0 0.001 <o,f0,male> hello  there <unk>\nTed_1 1 S2 0.00101 0.00149 <o> x\n"
        )
        for part in ("train", "test", "dev")
        for kind in ("sph", "stm")
    },
}
