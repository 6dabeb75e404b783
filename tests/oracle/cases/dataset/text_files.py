"""Files of text, odd or damaged."""

# ruff: noqa: E501, F401

import mindspore.dataset as ds

from tests.oracle.case import each
from tests.oracle.cases.dataset._files import case_context, rows, write

ONE = {"shuffle": False, "num_parallel_workers": 1}


def R(data):
    return [data.get_col_names(), rows(data)]


def conll(train, **options):
    write("train.txt", train)
    write("test.txt", "x Y Z\n\n")
    return R(ds.CoNLL2000Dataset(".", "train", **ONE, **options))


def udpos(train, **options):
    for part in ("train", "dev", "test"):
        write(f"en-ud-tag.v2.{part}.txt", train)
    return R(ds.UDPOSDataset(".", "train", **ONE, **options))


def tl(lines, **options):
    write("a.txt", lines)
    return [
        R(ds.TextFileDataset("a.txt", **ONE, **options)),
        ds.TextFileDataset("a.txt", **ONE, **options).get_dataset_size(),
    ]


def sst(table, usage="train", **options):
    write(f"{usage}.tsv", table)
    data = ds.SST2Dataset(".", usage, **ONE, **options)
    return [data.get_dataset_size(), R(data)]


def m30(en, de, **options):
    write("training/train.en", en)
    write("training/train.de", de)
    return R(ds.Multi30kDataset(".", "train", **ONE, **options))


def one(path, text, reader):
    write(path, text)
    return R(reader())


S = ONE

CASES = each(
    r"""
conll("a  B C\nd E F\n\n")
conll("a B  C\nd E F\n\n")
conll("a   B   C\n\n")
conll("a B C \n\n")
conll(" a B C\n\n")
conll("a\tB\tC\n\n")
conll("a B\n\n")
conll("a B C D\n\n")
conll("a B C\r\n\r\n")
conll("a B C\r\nd E F\r\n\r\ng H I\r\n\r\n")
conll("a B C\n\nd E F\n")
conll("a B C\n\nd E F")
conll("a B C")
conll("\n\na B C\n\n")
conll("a B C\n \nd E F\n\n")
conll("a B C\n  \nd E F\n\n")
conll("\ufeffa B C\n\n")
conll("a B C\n\n\n\nd E F\n\n\n")
conll("a B C\n\nd E F\n\n\n")
conll("a B C\n\nd E F\n\n\n", num_samples=1)
conll("a B C\n\nd E F\n\ng H I\n\n", num_shards=2, shard_id=0)
conll("a B C\n\nd E F\n\ng H I\n\n", num_shards=2, shard_id=1)
conll("")
conll("\n")
conll("\n\n\n")
conll("é ü ß\n\n")
conll("-DOCSTART- -X- O O\n\nEU NNP B-NP B-ORG\n\n")
conll("a B C\nd E\n\n")
conll("a B C\n\nd E\n\n")
conll("a B C\n\n   d   E   F   \n\n")
conll("a  \n\n")
conll("  \n\n")
conll("a B C\n\n# comment\nd E F\n\n")
conll("a\u00a0b B C\n\n")
conll("a\u3000b B C\n\n")
conll("a B C\x0b\n\n")
udpos("a\tB\tC\n\n")
udpos("a\t\tB\tC\n\n")
udpos("a\tB\tC\t\n\n")
udpos("a\tB\t\n\n")
udpos("\tB\tC\n\n")
udpos("a b\tB\tC\n\n")
udpos("a B C\n\n")
udpos("a\tB\tC\r\n\r\n")
udpos("a\tB\tC\n\n\n\nd\tE\tF\n\n")
udpos("a\tB\n\n")
udpos("a\tB\tC\tD\n\n")
udpos("# sent_id = 1\na\tB\tC\n\n")
udpos("a\tB\tC\n \nd\tE\tF\n\n")
udpos("a\tB\tC\n\t\nd\tE\tF\n\n")
udpos("a\tB\tC")
udpos("\ufeffa\tB\tC\n\n")
tl("a\r\nb\r\n")
tl("\ufeffa\nb\n")
tl("a\n\n\nb")
tl("  a  \n\t\n \n")
tl("a\rb\rc\n")
tl("\n")
tl("")
tl("\n\n\n")
tl("a\x00b\n")
tl("é\n\u2028x\n\x85y\n")
tl("a\x0bb\x0cc\n")
tl("\r\n\r\na\r\n")
tl("a", num_samples=1)
tl("a\nb\nc\n", num_shards=2, shard_id=0)
tl("a\nb\nc\n", num_shards=2, shard_id=1)
tl("a\nb\nc\n", num_shards=5, shard_id=4)
tl("x" * 300000 + "\nb\n")
tl("\n" * 10 + "a\n")
tl(b"\xef\xbb\xbfa\n")
tl(b"\xff\n")
tl(b"a\n\xe9\n")
udpos(" a\tB\tC\n\n")
udpos("a\tB\tC \n\n")
udpos("  a\tB\tC\n\n")
udpos("\t\ta\tB\tC\n\n")
udpos("\ta\tB\tC\n\n")
udpos("a\t\t\tB\tC\n\n")
udpos("a\tB\tC\n\t\t\t\nd\tE\tF\n\n")
udpos("a\tB\tC\n \t \nd\tE\tF\n\n")
udpos("\t\n\n")
udpos("a B\tC D\tE F\n\n")
udpos("a\tB\tC\t\tX\n\n")
udpos("a\n\n")
conll("a B \n\n")
conll("a  B\n\n")
conll("a   \n\n")
conll("\ta B C\n\n")
conll("a B C\n\t\nd E F\n\n")
conll("a B C\n\t D E\n\n")
conll("a B C\n\x0b\nd E F\n\n")
conll("\x0ba B C\n\n")
conll("\u3000a B C\n\n")
conll("  a B\n\n")
conll(" \n \n \n")
conll("a B C\n\n \n\nd E F\n \n")
conll(" \na B C\n\n")
conll("a B C\n \n", num_shards=2, shard_id=0)
sst("sentence\tlabel\na b \t0\n")
sst("sentence\tlabel\r\na b \t0\r\n")
sst("\ufeffsentence\tlabel\na b \t0\n")
sst("sentence\tlabel\na b \t0\n\n\nb\t1")
sst("sentence\tlabel\na \"b\" c\t0\n")
sst("sentence\tlabel\n\"a b\" c\t0\n")
sst("sentence\tlabel\n\"a b\"\t0\n")
sst("sentence\tlabel\n`` a ''\t0\n")
sst("sentence\tlabel\na\n")
sst("sentence\tlabel\na\t0\t\n")
sst("sentence\tlabel\n\t0\n")
sst("label\tsentence\n0\ta\n")
sst("sentence\na\n")
sst("sentence\tlabel\textra\na\t0\tb\n")
sst("sentence\tlabel\n")
sst("sentence\tlabel")
sst("")
sst("index\tsentence\n0\ta\n1\tb\n", "test")
sst("sentence\tlabel\na\t0\n", "dev")
sst("sentence\tlabel\na\t0\n", "valid")
m30("a\nb\n", "c\nd\n")
m30("a\r\nb\r\n", "c\r\nd\r\n")
m30("a\nb", "c\nd")
m30("a\n\nb\n", "c\n\nd\n")
m30("a\nb\n", "c\n")
m30("a\n", "c\nd\n")
m30(" a \n", "\tc\n")
m30("\ufeffa\n", "c\n")
m30("", "")
m30("a\n\n", "c\nd\n")
m30("\na\nb\n", "c\n\nd\n")
one("ptb.train.txt", " a b \r\n\r\n c\n", lambda: ds.PennTreebankDataset(".", "train", **S))
one("ptb.train.txt", "", lambda: ds.PennTreebankDataset(".", "train", **S))
one("ptb.train.txt", "\n\n", lambda: ds.PennTreebankDataset(".", "train", **S))
one("ptb.train.txt", "a", lambda: ds.PennTreebankDataset(".", "all", **S))
one("ptb.train.txt", "a", lambda: ds.PennTreebankDataset(".", "test", **S))
one("wiki.train.tokens", " \n = A = \n \n\n b \n", lambda: ds.WikiTextDataset(".", "train", **S))
one("wiki.train.tokens", "\ufeff = A = \r\n", lambda: ds.WikiTextDataset(".", "train", **S))
one("wiki.train.raw", " = A = \n", lambda: ds.WikiTextDataset(".", "train", **S))
one("enwik9", "<a>\r\n\r\n b", lambda: ds.EnWik9Dataset(".", **S))
one("enwik9", "\n\n", lambda: ds.EnWik9Dataset(".", **S))
one("enwik9", "", lambda: ds.EnWik9Dataset(".", **S))
one("enwik9", "a\n\n", lambda: ds.EnWik9Dataset(".", **S))
one("enwik8", "a\n\n", lambda: ds.EnWik9Dataset(".", **S))
one("train/pos/0_9.txt", "good\n\nx\r\n", lambda: (write("train/neg/1_1.txt", "bad"), ds.IMDBDataset(".", "train", shuffle=False))[1])
one("train/pos/0_9.txt", b"\xe9", lambda: (write("train/neg/1_1.txt", "bad"), ds.IMDBDataset(".", "train", shuffle=False))[1])
one("train/pos/0_9.txt", "a", lambda: (write("train/neg/1_1.txt", "bad"), write("train/unsup/2.txt", "u"), write("train/pos/x.html", "h"), write("train/pos/y.TXT", "z"), ds.IMDBDataset(".", "train", shuffle=False))[-1])
one("train/pos/0_9.txt", "a", lambda: (write("train/neg/1_1.txt", "bad"), write("train/pos/.hid.txt", "h"), ds.IMDBDataset(".", "train", shuffle=False))[-1])
one("train/pos/0_9.txt", "a", lambda: (write("train/neg/x.md", "bad"), ds.IMDBDataset(".", "train", shuffle=False))[-1])
one("train/pos/0_9.txt", "a", lambda: ds.IMDBDataset(".", "train", shuffle=False))
one("aclImdb/train/pos/0_9.txt", "a", lambda: ds.IMDBDataset(".", "train", shuffle=False))
one("train/pos/10_9.txt", "ten", lambda: (write("train/pos/9_1.txt", "nine"), write("train/neg/1_1.txt", "bad"), ds.IMDBDataset(".", "train", shuffle=False))[-1])
m30("\na\nb\n", "c\nd\ne\n")
m30("\na\nb\n", "\nd\ne\n")
m30("a\n\nb\n", "c\nd\ne\n")
m30("a\n\nb\nx\n", "c\nd\ne\nf\n")
m30("a\nb\n\n", "c\nd\ne\n")
m30("\n\n\na\nb\n", "1\n2\n3\n4\n5\n")
m30("a\n\n\n\nb\n", "1\n2\n3\n4\n5\n")
m30("a\nb\nc\n", "1\n\n3\n")
m30("a\nb\nc\n", "1\n\n3")
""",
    may_raise=True,
)
