"""Strings, arrays, files and short ways for the transforms of text."""

import random
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import mindspore.dataset as ds
import numpy as np
from mindspore.dataset import text
from mindspore.dataset.text import NormalizeForm as NF  # noqa: F401
from mindspore.dataset.text import SentencePieceModel as M
from mindspore.dataset.text import SentencePieceVocab as SP
from mindspore.dataset.text import SPieceTokenizerOutType as O

from tests.oracle.case import Case, under_headings, words

_random = random.Random(5)


def parts(text: str) -> list[str]:
    return text.split("|")


WORDS = parts(
    "[UNK]|[CLS]|[SEP]|[MASK]|[PAD]|a|b|c|##b|ab|##bc|hello|world|##ing|play|##ed|wel|##come|北|京|##京|é|##é|!|,|"
    "中|ᄒ|ᅡ|beijing|[|]|cls|1|2|##2| |  "
)
STRINGS = [
    "",
    "  ",
    "  hello  world \t\n x ",
    "é 中文 x",
    "Welcome  to[CLS] Béijing北京歡迎 [unused12]\u200b",
    "[CLS] Hello [SEP] World [MASK]",
    "[CLS]",
    "[[CLS]]",
    "[a [CLS] b",
    "[CLS CLS] [cls] [UNK][PAD]",
    "[unused1][unused99999] [unused] [unused１]",
    "İstanbul ſtraße ǅ ﬁ ﬀ",
    "①②③ ½ ㌔ ㎏ Ⅷ ª",
    "한국어 각 ㄱㅏ \u1100\u1161\u11a8",
    "ｱｲｳ ｶﾞ ひらカタ",
    "e\u0301 a\u0308\u0323 \u0323\u0308a",
    "don't stop! a_b-c.d C++ & C#",
    "x\u00a0y\u2003z\u3000w\u1680q",
    "a\u0085b\u2028c\u2029d",
    "a\x0bb\x0cc\x1cd\x1ee\x1ff \x01\x7f\x9f",
    "a\u200bb\u200cc\u200dd\ufeffe\u00adf\u2060g\u061c\u180e",
    "😀👍🏽👨‍👩‍👧 🇩🇪 hello\U000e0041world",
    "𠀀𠀁 𫝀 丽 鿿 㐀",
    "ԱԲ ႠႡ Ꭰ ꭰ а\u0301б",
    "\u0345 ᾳ ΑΙ Σσς Ω Å \u212a",
    "x" * 150,
    "\U0001d165\U0001d16e\u0301 \u302e\u302f \u0f71\u0f72\u0f74 \u0f77",
    "تُوب שָׁלוֹם नमस्ते ไทย",
    "–—‘’“”…«»¿¡§¶ $+<=>^`|~€£",
    "playing played ab abbc abc ab中",
]
_PARTS = parts(
    "a|B|c|1| |  |\t|\n|.|!|[|]|[CLS]|[unused3]|-|_|é|é|̀|ß|İ|ς|ﬁ|①|中|北|京|𠀀|ひ|ｶﾞ|한|ᅡ|Б|ё|ע|ش|न\n|म|😀|\u200d|"
    "\u200b|\ufeff|\x00x|\x1c|\x85|\u3000|。|“|$|hello|world|½|㍿"
)
STRINGS += ["".join(_random.choices(_PARTS, k=_random.randint(2, 12))) for _ in range(30)]
WIKIPEDIA = [
    "<a>hi [[x|y]] &amp; &lt;b&gt; 'ok'</a>",
    "Hello World 123",
    "a&amp;b &lt;c&gt; &quot;d&quot;",
    "[[Image:foo|thumb|left|100px|caption]] [http://x.y foo]",
    "<ref name='a'>x</ref> y",
    "<page>\n<title>AA 0 9</title>\n",
    "a<b\nc>d",
    "a\n\nb",
    "a\n  \nb",
    "\n\na\n\n",
    "a\n b",
    "x\r\ny",
    "a\n<x>\nb",
    "&a\nb;c",
    "é ß\u212a中文",
    "",
    *STRINGS,
]
ARRAYS = [
    np.array(["a", "b"]),
    "a",
    np.array([["a", "bbb"], ["b", "c"]]),
    np.array([1]),
    np.array([], "U1"),
    np.array([[["a"]]]),
    np.array([b"a"]),
    np.array(["a", "", "c", "zz", "a"]),
    np.array([1.5, 2, 3], np.float32),
    np.array([[1, 2, 3], [4, 5, 6]]),
    b"a",
    ["a", "b", "c"],
    None,
    (),
    np.array(["中文", "é"]),
    {"a": 1},
    1j,
]
PAIRS = [
    (np.array(["a", "b", "c"]), np.array(["xxx", "y"])),
    (np.array([1, 2, 3, 4, 5]), np.array([1, 2, 3])),
    (np.array([1.5, 2, 3]), np.array([1, 2, 3, 4, 5])),
    (np.array([1]),),
    (np.array([[1]]), np.array([[2]])),
    (np.array([1, 2, 3]), np.array([1, 2, 3]), np.array([1])),
]
NUMBERS = parts(
    "1|-3|300|abc| 5|5 |+5|0x10|1e3|inf|-inf|nan||5a|1e-50|1e-40|1e400|0x1p3|infinity|.5|-.5e1|1e|0x|\t7|\xa07|"
    "65504|65520|-65505|3.5e38|0e-400|2147483648|18446744073709551615|9223372036854775808|--5|- 5|1,5|1_0|٣|"
    "123456789.1234"
)
NUMBERS += [np.array([["1"], ["25"]]), b"5", 5, np.array([], "U1")]
TOKENS = [
    *words("The OF q 3 w a ab abc é é中 ABC É"),
    "",
    1,
    b"the",
    np.array(["the", "zz"]),
    np.array([["the", "of"], ["of", "zz"]]),
]
FEW = ["今天 abc", "", np.array(["a"]), 1, b"a", None]

CHINESE = "今天气太好了我们一起去外面玩吧小明硕士毕业于国科学院计算所后在日本京都大江桥长"
_SENTENCES = [
    "今天天气太好了我们一起去外面玩吧",
    "小明硕士毕业于中国科学院计算所，后在日本京都大学深造",
    "hello world 3.14 abc-def C++ iPhone4手机",
    "  ",
    "",
    "江大桥去了长江大桥",
    "A股a股，１２３。",
    "😀哈哈é",
    "𠀀𠀁中国",
    "我爱\u3000北京\n天安门",
    "玩-太本",
    "1a2b a1b2 ..",
    *["".join(_random.choices([*CHINESE, "a", "1", " ", "，", "-"], k=_random.randint(1, 15))) for _ in range(40)],
]
SENTENCES = [np.array(sentence) for sentence in _SENTENCES]


def _character_model() -> str:
    """Starting, changing and emitting probabilities of some characters, made up."""
    lines = ["#start", "-0.26 -3.14e+100 -3.14e+100 -1.46", "#change"]
    lines += ["-3.14e+100 -0.51 -0.91 -3.14e+100", "-0.58 -3.14e+100 -3.14e+100 -0.8"]
    lines += ["-3.14e+100 -0.33 -1.26 -3.14e+100", "-0.72 -3.14e+100 -3.14e+100 -0.66"]
    numbers = np.random.RandomState(3)
    for state in "BEMS":
        lines += [
            "#" + state,
            ",".join(f"{each}:{-3 - 6 * numbers.rand():.4f}" for each in CHINESE if numbers.rand() < 0.9),
        ]
    return "\n".join(lines) + "\n"


def _dictionary() -> str:
    """Some words with frequencies, made up."""
    words = """今天 天气 今天天气 太好了 我们 一起 外面 小明 硕士 毕业 中国 科学 科学院 中国科学院 计算 计算所 日本 京都
大学 日本京都大学 大桥 长江 长江大桥 江大桥 C++ A股 T恤 玩 去 于 在 后 了"""
    numbers = np.random.RandomState(4)
    return "".join(f"{word} {numbers.randint(1, 3000)} n\n" for word in words.split())


FILES = {
    "hmm": ("hmm_model.utf8", _character_model()),
    "dictionary": ("jieba.dict.utf8", _dictionary()),
    "user_words": ("user.txt", "江大桥 20000\n天气太好 0\n\n太好了我 10 nz\n bad*word 3\n科学院计\n"),
    "vectors": ("vectors.txt", "the 1 2 3\nof 4 5 6\nThe 7 8 9\n"),
    "counted": ("counted.txt", "2 3\nthe 1 2 3\nof 4 5 6\n"),
    "odd": ("odd.txt", "the 1 x 3\n3 1e5x .5 0x10\nq nan inf -inf\nw 1,5 +2 -.5e1\n"),
    "groups": (
        "charNgram.txt",
        "1gram-a 1 2 3\n2gram-ab 4 5 6\n2gram-#BEGIN#a 1 1 1\n3gram-abc 0.1 0.2 0.3\n2gram-b#END# 0.5 0.5 0.5\n"
        "2gram-é中 7 7 7\n2gram-#BEGIN#é 3 3 3\n3gram-#BEGIN#é 4 4 4\n",
    ),
    "glove": ("glove.6B.3d.txt", "the 1 2 3\nof 4 5 6\n"),
    "fast": ("wiki.vec", "2 3\nthe 1 2 3\nof 4 5 6\n"),
    **{
        f"vectors{number}": (f"vectors{number}.txt", content)
        for number, content in enumerate(
            (
                "",
                "the\n",
                "the 1\n",
                "the  1 2 3\n",
                "the 1 2 3\nthe 4 5 6\n",
                "a b 1 2\nthe 4 5 6\n",
                "the 1 2 3 \nof 4 5 6\n",
                "the\t1\t2\n",
                "the 1 2 3\nof 4 5\n",
                "2 3\r\nthe 1 2\r\n",
                "the 1 2\n2 3\n",
            )
        )
    },
    **{
        f"words{number}": (f"words{number}.txt", content)
        for number, content in enumerate(
            (
                "a\nb\nc\n",
                "a,1\nb,2\r\n c ,3\n\nd\n",
                "a\na\n",
                "\ufeffa\nb",
                "",
                "\n\nb",
                "a\rb\x0bc\u2028d\n",
                "aXYb\ncYXd\n",
                "中文\né\n😀",
            )
        )
    },
    "corpus": (
        "corpus.txt",
        "".join(
            " ".join(_random.choices(["tako", "miren", "sol", "vequ", "ing", "preun", "althis", "中国人", "大学"], k=6))
            + "\n"
            for _ in range(300)
        ),
    ),
}


@cache
def files() -> tuple[tempfile.TemporaryDirectory, dict[str, str]]:
    """Write the files, once: their folder, which lives as long as it is held, and their places by name."""
    folder = tempfile.TemporaryDirectory()
    for name, content in FILES.values():
        Path(folder.name, name).write_bytes(content.encode())
    return folder, {key: f"{folder.name}/{name}" for key, (name, _) in FILES.items()}


@cache
def known() -> dict[str, Any]:
    """Places of the files, and what is made of them."""
    at = files()[1]
    makers = {
        "v": lambda: text.Vocab.from_list(WORDS),
        "vec": lambda: text.Vectors.from_file(at["vectors"]),
        "vec_odd": lambda: text.Vectors.from_file(at["odd"]),
        "vec_groups": lambda: text.CharNGram.from_file(at["groups"]),
    }
    made = dict(at)
    for name, make in makers.items():
        with suppress(NameError, AttributeError):  # releases before 1.8 have no vectors
            made[name] = make()
    return made


THREE = ["t", "s", "e"]
LINES = [np.array("hello world"), np.array(""), np.array("a b c")]
ROWS = [np.array(["a", "b"]), np.array([], "U1")]


def mapped(operations: Any, rows: Iterable[Any], outputs: Any = None, inputs: Iterable[str] = ("w",)) -> tuple:
    """The rows of a pipeline that maps."""
    data = ds.GeneratorDataset([row if isinstance(row, tuple) else (row,) for row in rows], list(inputs), shuffle=False)
    data = data.map(operations, list(inputs), outputs or list(inputs))
    return tuple(value for row in data.create_tuple_iterator(output_numpy=True, num_epochs=1) for value in row)


def listed(vocab: text.Vocab) -> list:
    return sorted(vocab.vocab().items())


def letters() -> ds.GeneratorDataset:
    rows = (["b", "a", "b"], ["c", "a", "b"], ["d", "d", "e"])
    return ds.GeneratorDataset([(np.array(row),) for row in rows], ["w"], shuffle=False)


def slices(**columns: Any) -> ds.NumpySlicesDataset:
    return ds.NumpySlicesDataset(columns, shuffle=False)


def jieba(mode: str, *words: Any, added: Any = None, **options: Any) -> tuple:
    at = files()[1]
    tokenizer = text.JiebaTokenizer(at["hmm"], at["dictionary"], getattr(text.JiebaMode, mode), **options)
    for word in words:
        tokenizer.add_word(*word)
    if added is not None:
        tokenizer.add_dict(added)
    return mapped(tokenizer, SENTENCES, THREE if options else None)


def trained(kind: str, size: int, **params: Any) -> SP:
    settings = {"normalization_rule_name": "identity", **params}
    return SP.from_file([files()[1]["corpus"]], size, 0.9995, getattr(M, kind), settings)


def pieces(model: SP) -> tuple:
    texts = ("tako miren 中国人", "zzz qu", "  sol  ing ", "")
    return tuple(text.SentencePieceTokenizer(model, kind)(each) for each in texts for kind in (O.STRING, O.INT))


def scope() -> dict[str, Any]:
    """What is here, and the files."""
    return {**globals(), **known()}


def plain(value: Any) -> Any:
    """The kind of an array, its shape and its values; of another object its text."""
    if isinstance(value, tuple):
        return [plain(part) for part in value]
    if not isinstance(value, np.ndarray):
        return repr(value)
    values = repr(value.tolist()) if value.dtype.kind in "fS" else value.tolist()
    return [value.dtype.str if value.dtype.kind != "U" else "U", list(value.shape), values]


def on(inputs: list[Any], made: Any) -> list[Any]:
    """The results of a transform for each of the inputs, or the class that it raises; a tuple has several arguments."""
    found: list[Any] = []
    for each in inputs:
        try:
            found.append(plain(made(*each) if isinstance(each, tuple) else made(each)))
        except Exception as error:
            found.append(type(error).__name__)
    return found


def cases(lines: str) -> list[Case]:
    """A case of every line; below a heading with the name of inputs, the line makes what is called with each."""
    pairs = under_headings(lines)
    return [Case(f"on({heading}, {line})" if heading else line, may_raise=True) for heading, line in pairs]
