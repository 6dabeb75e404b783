"""Readers of streams, and of recordings: parts, shards, workers, kinds of columns, odd and damaged files."""

from collections.abc import Callable, Iterator
from typing import Any

import mindspore.dataset as ds

from tests.dataset.stream_layouts import LAYOUTS
from tests.oracle.case import Case
from tests.oracle.cases.dataset._files import case_context, rows  # noqa: F401
from tests.oracle.cases.dataset._readers import ask

EXACT = True

ONE = "shuffle=False, num_parallel_workers=1"
TWO = "shuffle=False, num_parallel_workers=2"

Asked = tuple[str, str, str]  # layout, reader, arguments


def _usages(layout: str, reader: str, usages: str) -> list[Asked]:
    """A folder read part by part, with two workers, in two shards; and what is refused."""
    asked = [(layout, reader, f"'.', {usage!r}, {ONE}") for usage in usages.split()]
    asked += [(layout, reader, f"'.', {TWO}"), (layout, reader, f"'.', 'other', {ONE}")]
    asked += [(layout, reader, f"'.', num_shards=2, shard_id={shard}, {ONE}") for shard in range(2)]
    return [*asked, ("nothing", reader, f"'.', {ONE}"), (layout, reader, "'nowhere'"), (layout, reader, "3")]


def _text_files() -> Iterator[Asked]:
    reader, files = "TextFileDataset", "['a.txt', 'b.txt', 'c.txt']"
    for workers in (ONE, TWO):
        yield "lines", reader, f"'*.txt', {workers}"
        for shards in (2, 3, 4, 5, 20):
            for shard in range(min(shards, 4)):
                yield "lines", reader, f"{files}, num_shards={shards}, shard_id={shard}, {workers}"
        for samples in (3, 6, 20):
            yield "lines", reader, f"{files}, {samples}, {workers}"
            yield "lines", reader, f"{files}, {samples}, num_shards=3, shard_id=2, {workers}"
    for level in ("FILES", "GLOBAL"):
        yield "lines", reader, f"{files}, shuffle=ds.Shuffle.{level}"
    for level in ("FALSE", "INFILE", "PARTIAL", "ADAPTIVE"):
        yield "lines", reader, f"{files}, shuffle=ds.Shuffle.{level}, num_parallel_workers=1"
    for name in ("a", "empty", "blank", "no_text", "nowhere"):
        yield "odd_lines", reader, f"{name!r}, {ONE}"
    for wrong in (
        "3", "[]", "['a.txt', 'nowhere']", "'a.txt', shuffle='x'", "'a.txt', num_shards=2", "'a.txt', shard_id=0",
        "'a.txt', num_shards=2, shard_id=2", "'a.txt', num_shards=0, shard_id=0", "'a.txt', -1", "'a.txt', 1.5",
        "'a.txt', num_shards='2', shard_id=0", "'a.txt', num_parallel_workers=0", f"'a.txt', 0, {ONE}",
        f"['c.txt', 'a.txt', 'a.txt'], {ONE}",
    ):  # fmt: skip
        yield "lines", reader, wrong


def _tables() -> Iterator[Asked]:
    reader = "CSVDataset"
    for name in sorted(LAYOUTS["tables"]()):
        yield "tables", reader, f"{name!r}, {ONE}"
    for name in ("numbers", "no_number", "no_value", "too_large", "too_large_float"):
        yield "tables", reader, f"'{name}.csv', column_defaults=[1, 2.5], {ONE}"
    for asked in (
        "column_names=['x', 'y']", "column_names=['x']", "column_names=['x', 'x']", "column_names=['', 'y']",
        "column_names=[]", "column_names=3", "column_names=[3, 4]", "column_names=['x', 'y'], column_defaults=[1, 'a']",
        "column_defaults=[1]", "column_defaults=[1, 1, 1]", "column_defaults=3", "column_defaults=[None, 1]",
        "field_delim='|'", "field_delim=';;'", "field_delim='\"'", "field_delim=None", "num_samples=1",
    ):  # fmt: skip
        yield "tables", reader, f"'plain.csv', {asked}, {ONE}"
    yield "tables", reader, f"'pipes.csv', '|', {ONE}"
    for other in ("more", "other", "names_only", "empty"):
        yield "tables", reader, f"['plain.csv', '{other}.csv'], {TWO}"
    for shard in range(2):
        yield "tables", reader, f"['plain.csv', 'more.csv'], num_shards=2, shard_id={shard}, {ONE}"
    yield "tables", reader, "['plain.csv', 'more.csv']"
    yield "tables", reader, "'nowhere.csv'"
    yield "tables", reader, "[]"


def _records() -> Iterator[Asked]:
    reader = "TFRecordDataset"
    for name in sorted(name for name in LAYOUTS["records"]() if name.endswith(".tf")):
        yield "records", reader, f"{name!r}, {ONE}"
        yield "records", reader, f"{name!r}, columns(a='float32'), {ONE}"
    kinds = {
        "z": "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 bool string",
        "a": "float16 float64 int32 bool string",
        "s": "string uint8 int8 int64 float32",
        "m": "string uint8",
        "neg": "int32 uint8 uint64",
        "big": "int8 uint16 float16 float32",
        "unknown": "int32",
    }
    for name, types in kinds.items():
        for kind in types.split():
            yield "records", reader, f"'x.tf', columns({name}={kind!r}), {ONE}"
    for name, kind, shapes in (
        ("z", "int64", ([], [1], [2], [-1], [1, 1])),
        ("a", "float32", ([2], [2, 1], [-1, 1], [3], [-1, -1], [-1, 4])),
        ("s", "uint8", ([7], [1, 7])),
        ("s", "string", ([1], [])),
        ("m", "string", ([2], [2, 1])),
        ("v", "int64", ([-1, 1], [3])),
    ):
        for shape in shapes:
            yield "records", reader, f"'x.tf', columns({name}=({kind!r}, {shape})), {ONE}"
    for schema in ("rank", "scalar", "no_rank", "no_type", "bad", "nowhere"):
        yield "records", reader, f"'x.tf', '{schema}.json', {ONE}"
    for asked in (
        "columns_list=['s', 'a']", "columns_list=['s', 'unknown']", "columns_list=['s', 's']", "columns_list=[]",
        "columns_list='s'", "shard_equal_rows=3", "compression_type='ZIP'", "schema=3", "num_samples=2",
        "schema='rank.json', num_samples=3", "schema=columns(z='int8', s='string'), columns_list=['s']",
        "schema=columns(z='int8'), columns_list=['unknown']", "schema=ds.Schema()",
    ):  # fmt: skip
        yield "records", reader, f"'x.tf', {asked}, {ONE}"
    for wrong in ("3", "[]", "'nowhere'", "['x.tf', 'other.tf']", "'x.tf', shuffle='x'"):
        yield "records", reader, wrong
    for end, compression in (("tf", ""), ("gz", "GZIP"), ("z", "ZLIB")):
        files, form = f"'*.{end}', columns(t=('string', []))", f"compression_type={compression!r}"
        for workers in (ONE, TWO):
            yield "sharded_records", reader, f"{files}, {form}, {workers}"
            for shards in (2, 3, 4):
                for shard in range(shards):
                    sharded = f"{files}, {form}, num_shards={shards}, shard_id={shard}, {workers}"
                    yield "sharded_records", reader, sharded
                    yield "sharded_records", reader, f"{sharded}, shard_equal_rows=True"
                    yield "sharded_records", reader, f"{sharded}, num_samples=4"
            for samples in (1, 6, 7, 60):
                yield "sharded_records", reader, f"{files}, {form}, num_samples={samples}, {workers}"
        yield "sharded_records", reader, f"{files}, {form}"
        yield "sharded_records", reader, f"{files}, {form}, shuffle=ds.Shuffle.FILES"
    for end, compression in (("gz", ""), ("tf", "GZIP"), ("tf", "ZLIB"), ("z", "GZIP"), ("gz", "ZLIB")):
        yield "sharded_records", reader, f"'a.{end}', {ONE}, compression_type={compression!r}"


def _clue() -> Iterator[Asked]:
    reader = "CLUEDataset"
    for task in ("afqmc", "tnews", "cmnli", "iflytek", "csl", "wsc"):
        for usage in ("train", "eval", "test"):
            end = "_test" if usage == "test" else ""
            yield "clue", reader, f"'{task}{end}.json', {task.upper()!r}, {usage!r}, {ONE}"
    for name in ("cut", "numbers", "lacking", "empty", "tnews"):
        yield "clue", reader, f"'{name}.json', {ONE}"
    for wrong in ("'afqmc.json', 'X'", "'afqmc.json', 'AFQMC', 'all'", "'nowhere'", "3", "[]"):
        yield "clue", reader, wrong
    yield "clue", reader, f"['numbers.json', 'afqmc.json'], {ONE}"


def _translations() -> Iterator[Asked]:
    for usage in ("train", "test", "valid", "all"):
        yield "multi30k", "Multi30kDataset", f"'.', {usage!r}, {ONE}"
        yield "iwslt2016", "IWSLT2016Dataset", f"'.', {usage!r}, {ONE}"
        yield "iwslt2017", "IWSLT2017Dataset", f"'.', {usage!r}, {ONE}"
    for pair in ("['de', 'en']", "('de', 'en')", "['en', 'en']", "['en']", "'en'", "[1, 2]"):
        yield "multi30k", "Multi30kDataset", f"'.', 'train', {pair}, {ONE}"
        yield "iwslt2016", "IWSLT2016Dataset", f"'.', 'train', {pair}, {ONE}"
        yield "iwslt2017", "IWSLT2017Dataset", f"'.', 'train', {pair}, {ONE}"
    for reader, layout in (("Multi30k", "multi30k"), ("IWSLT2016", "iwslt2016"), ("IWSLT2017", "iwslt2017")):
        yield layout, f"{reader}Dataset", f"'.', {TWO}"
        yield layout, f"{reader}Dataset", f"'.', 'other', {ONE}"
        yield "nothing", f"{reader}Dataset", f"'.', {ONE}"
        yield layout, f"{reader}Dataset", "'nowhere'"
        for shard in range(2):
            yield layout, f"{reader}Dataset", f"'.', num_shards=2, shard_id={shard}, {ONE}"
    yield "multi30k", "Multi30kDataset", "'.', shuffle=ds.Shuffle.FILES"
    for layout in ("uneven_multi30k", "half_multi30k"):
        yield layout, "Multi30kDataset", f"'.', 'train', {ONE}"
    for asked in ("None, 'dev2010'", "None, 'tst2014'", "None, 'other'", "['en', 'de']"):
        yield "iwslt2016", "IWSLT2016Dataset", f"'.', 'valid', {asked}, {ONE}"
    yield "iwslt2016", "IWSLT2016Dataset", f"'.', 'test', None, None, 'tst2010', {ONE}"
    yield "iwslt2017", "IWSLT2017Dataset", f"'.', 'valid', ['en', 'de'], {ONE}"


def _recordings() -> Iterator[Asked]:
    """Read sorted: MindSpore takes files in the order in which the system names them."""
    for layout, reader, usages in (
        ("genres", "GTZANDataset", "train valid test all other"),
        ("libri", "LibriTTSDataset", "dev-clean test-other train-clean-100 all other"),
        ("commands", "SpeechCommandsDataset", "train valid test all other"),
        ("arctic", "CMUArcticDataset", "aew axb slt other"),
    ):
        for usage in usages.split():
            yield layout, reader, f"'.', {usage!r}"
        yield layout, reader, "'.'"
    for layout, reader in (
        ("yes_no", "YesNoDataset"), ("odd_yes_no", "YesNoDataset"), ("speech", "LJSpeechDataset"),
        ("speech_only", "LJSpeechDataset"), ("slow_genres", "GTZANDataset"), ("slow_libri", "LibriTTSDataset"),
        ("odd_command", "SpeechCommandsDataset"),
    ):  # fmt: skip
        yield layout, reader, "'.'"
    for shard in range(2):
        yield "speech", "LJSpeechDataset", f"'.', shuffle=False, num_shards=2, shard_id={shard}"
    yield "speech", "LJSpeechDataset", "'.', sampler=ds.SequentialSampler(1, 1)"
    for asked in ("'.'", "'nowhere'", "3", "'.', num_shards=2", "'.', sampler=ds.PKSampler(1), shuffle=True"):
        for reader in ("YesNo", "LJSpeech", "GTZAN", "LibriTTS", "SpeechCommands", "CMUArctic"):
            yield "nothing", f"{reader}Dataset", asked
    for asked in ("'release1'", "'release1', 'dev'", "'release2', 'train'", "'release3'", "'release4'", "3"):
        yield "talks", "TedliumDataset", f"'.', {asked}"
    for asked in ("'release1', 'other'", "'release3', 'train'", "'release1', None, '.wav'"):
        yield "talks", "TedliumDataset", f"'.', {asked}"
    yield "nothing", "TedliumDataset", "'.', 'release1'"


ASKED: list[Asked] = [
    *_text_files(),
    *_tables(),
    *_usages("news", "AGNewsDataset", "train test all"),
    *_usages("news", "AmazonReviewDataset", "train test all"),
    *_usages("news", "DBpediaDataset", "train test all"),
    *_usages("news", "SogouNewsDataset", "train test all"),
    *_usages("reviews", "YelpReviewDataset", "train test all"),
    *_usages("answers", "YahooAnswersDataset", "train test all"),
    *[("train_only", "AGNewsDataset", f"'.', {usage!r}, {ONE}") for usage in ("train", "test", "all")],
    *[("short_news", "AGNewsDataset", f"'.', {usage!r}, {ONE}") for usage in ("train", "test")],
    ("news", "AGNewsDataset", "'.'"),
    *_usages("penn", "PennTreebankDataset", "train test valid all"),
    *_usages("wiki", "WikiTextDataset", "train test valid all"),
    ("enwik", "EnWik9Dataset", f"'.', {ONE}"),
    ("nothing", "EnWik9Dataset", f"'.', {ONE}"),
    *_usages("tagged", "CoNLL2000Dataset", "train test all"),
    *_usages("universal", "UDPOSDataset", "train test valid all"),
    *_usages("sentiment", "SST2Dataset", "train test dev"),
    *[("bad_sentiment", "SST2Dataset", f"'.', {usage!r}, {ONE}") for usage in ("train", "dev")],
    *_usages("squad", "SQuADDataset", "train dev all"),
    *[("squad_train", "SQuADDataset", f"'.', {usage!r}, {ONE}") for usage in ("train", "dev", "all")],
    *[("bad_squad", "SQuADDataset", f"'.', {usage!r}, {ONE}") for usage in ("train", "dev")],
    *_translations(),
    *[("imdb", "IMDBDataset", f"'.', {usage!r}, shuffle=False") for usage in ("train", "test", "all", "other")],
    *[("imdb", "IMDBDataset", f"'.', shuffle=False, num_shards=5, shard_id={shard}") for shard in range(2)],
    ("imdb", "IMDBDataset", "'.', sampler=ds.PKSampler(2, None, 'label')"),
    ("imdb", "IMDBDataset", "'.', 'train', sampler=ds.SequentialSampler(1, 2)"),
    ("half_imdb", "IMDBDataset", "'.', shuffle=False"),
    ("nothing", "IMDBDataset", "'.', shuffle=False"),
    *_clue(),
    *_records(),
    *_recordings(),
]  # fmt: skip


OTHER_SIZES = {"SpeechCommandsDataset", "EnWik9Dataset", "CoNLL2000Dataset", "UDPOSDataset", "Multi30kDataset"}
"""Where MindSpore's size is not the number of its rows: empty lines, words, the lines of one language, all parts."""
CRASHING = {"DBpediaDataset", "SogouNewsDataset", "YahooAnswersDataset"}
"""What ends MindSpore's process where there is no file."""
NOT_FOLLOWED = {
    ("news", "SogouNewsDataset", f"'.', num_shards=2, shard_id=1, {ONE}"),
    ("answers", "YahooAnswersDataset", f"'.', num_shards=2, shard_id=1, {ONE}"),
    ("universal", "UDPOSDataset", f"'.', num_shards=2, shard_id=1, {ONE}"),
    ("sharded_records", "TFRecordDataset", f"'a.z', {ONE}, compression_type='GZIP'"),
}
"""Answers that nobody can want: of the second shard, the last word of the first one in front of a cell, or half a
sentence once more; another class for what is no compressed file."""


def read(layout: str, make: Callable[[], Any], without: str = "") -> Any:
    """Names, size and rows of a reader, or the class of the error that reading raises."""
    found = ask(layout, lambda folder: make(), without=f"classes count {without}")
    return next((found[part] for part in ("names", "rows") if isinstance(found[part], str)), found)


def columns(**kinds: Any) -> Any:
    schema = ds.Schema()
    for name, kind in kinds.items():
        schema.add_column(name, *((kind,) if isinstance(kind, str) else kind))
    return schema


def case(layout: str, reader: str, arguments: str) -> Case:
    if layout == "nothing" and reader in CRASHING:
        return Case(f"rows(ds.{reader}({arguments}))", may_raise=True, raises=RuntimeError)
    is_ordered = any(word in arguments for word in ("shuffle=False", "num_parallel_workers=1", "sampler="))
    of_each_file = "compression_type" in arguments and "num_samples" in arguments  # what does not divide is left out
    without = " ".join(["order"] * (not is_ordered) + ["size"] * (of_each_file or reader in OTHER_SIZES))
    ending = f", without={without!r}" if without else ""
    return Case(f"read({layout!r}, lambda: ds.{reader}({arguments}){ending})", may_raise=True)


CASES = [case(*asked) for asked in ASKED if asked not in NOT_FOLLOWED]
