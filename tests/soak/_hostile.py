"""Files as an attacker would make them: sound containers with hostile content, made of a seeded generator."""

import functools
import gzip
import io
import json
import pickle
import struct
import zipfile
import zlib
from collections.abc import Callable
from random import Random

from msbridge.converters.messages.mind_ir import ModelProto
from msbridge.converters.messages.wire import varint
from tests.mindir import mindir_files

NUMBERS = (-1, 0, 1, 2, 3, 4, 5, 8, 63, 64, 65, 255, 256, 1 << 16, (1 << 31) - 1, 1 << 31, 1 << 32, (1 << 61) - 1)
NUMBERS += (1 << 61, 1 << 62, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, 1 << 64, 1 << 200, -(1 << 63))
NAMES = ("a", "b.c", "state_dict", "model", "module.a", "module.module.a", "__metadata__", "", "é", "\ud800", "x" * 300)
GLOBALS = (
    *("torch._utils._rebuild_tensor_v2", "torch._utils._rebuild_tensor", "torch._utils._rebuild_tensor_v3"),
    *("torch._utils._rebuild_parameter", "torch._utils._rebuild_qtensor", "torch._tensor._rebuild_from_type_v2"),
    *(
        "torch.FloatStorage",
        "torch.BoolStorage",
        "torch.QInt8Storage",
        "torch.ComplexFloatStorage",
        "torch.float8_e5m2",
    ),
    *("torch.Size", "torch.per_tensor_affine", "collections.OrderedDict", "collections.Counter", "_codecs.encode"),
    *("builtins.set", "builtins.bytearray", "builtins.complex", "builtins.dict", "my.Thing", "copyreg._reconstructor"),
    *("numpy.ndarray", "numpy.dtype", "numpy.core.multiarray._reconstruct", "numpy.core.numeric._frombuffer"),
)
HARMFUL = (
    "os.system",
    "builtins.eval",
    "subprocess.Popen",
    "torch.load",
    "functools.reduce",
    "a.os.path",
    "pickle.loads",
)
DTYPES = ("F32", "F16", "BF16", "I64", "U8", "BOOL", "F64", "C64", "F8_E4M3", "F33", "", None, 1, ["F32"], {}, "I8")


def text(value: str) -> bytes:
    encoded = value.encode("utf-8", "surrogatepass")
    return b"X" + struct.pack("<I", len(encoded)) + encoded


def scalar(number: int) -> bytes:
    if 0 <= number < 256:
        return b"K" + bytes([number])
    data = pickle.encode_long(number)
    return b"\x8a" + bytes([len(data)]) + data


def named(path: str) -> bytes:
    module, _, name = path.rpartition(".")
    return b"c" + f"{module}\n{name}\n".encode()


class Pickles:
    """Pickles of an opcode grammar: most values are whole, and some steps are not."""

    def __init__(self, chance: Random, harmful: bool):
        self.chance = chance
        self.memo = 0
        self.harmful = harmful
        self.left = 120  # values

    def value(self, depth: int = 0) -> bytes:
        self.left -= 1
        if depth > 12 or self.left < 0:
            return b"N"
        return self.chance.choice(self.KINDS)(self, depth)

    def several(self, depth: int, most: int = 4) -> bytes:
        return b"".join(self.value(depth + 1) for _ in range(self.chance.randrange(most)))

    def number(self, depth: int) -> bytes:
        number = self.chance.choice(NUMBERS)
        forms = (
            lambda: scalar(number),
            lambda: f"I{number}\n".encode(),
            lambda: f"L{number}L\n".encode(),
            lambda: b"J" + struct.pack("<i", max(-(1 << 31), min(number, (1 << 31) - 1))),
            lambda: b"\x8b" + struct.pack("<i", self.chance.choice((0, 1, 8, 300, -1, 1 << 30))) + bytes(300),
            lambda: b"G" + struct.pack(">d", float(number)),
            lambda: b"F" + self.chance.choice((b"nan", b"inf", b"1e999", b"x", b"1" * 300)) + b"\n",
            lambda: b"I" + b"9" * self.chance.choice((1, 200, 5000)) + b"\n",
        )
        return self.chance.choice(forms)()

    def letters(self, depth: int) -> bytes:
        value = self.chance.choice(NAMES)
        forms = (
            lambda: text(value),
            lambda: b"V" + self.chance.choice((b"abc", b"\\u12", b"\\U0001f600", b"\\ud800")) + b"\n",
            lambda: b"S" + self.chance.choice((b"'a'", b'"b"', b"'", b"'\\x4'", b"''")) + b"\n",
            lambda: b"T" + struct.pack("<i", self.chance.choice((3, 0, -1, 1 << 30))) + b"abc",
            lambda: b"U\x04data",
            lambda: b"C\x02ab",
            lambda: b"\x8e" + struct.pack("<Q", self.chance.choice((2, 1 << 40, (1 << 64) - 1))) + b"ab",
            lambda: b"\x96" + struct.pack("<Q", self.chance.choice((2, 1 << 62))) + b"ab",
        )
        return self.chance.choice(forms)()

    def constant(self, depth: int) -> bytes:
        return self.chance.choice((b"N", b"\x88", b"\x89", b")", b"]", b"}", b"\x8f"))

    def group(self, depth: int) -> bytes:
        items = b"(" + self.several(depth)
        return self.chance.choice(
            (
                items + b"t",
                items + b"l",
                b"](".join((b"", items[1:])) + b"e",
                items + b"\x91",
                b"\x8f" + items + b"\x90",
            )
        )

    def mapping(self, depth: int) -> bytes:
        pairs = b"".join(self.value(depth + 5) + self.value(depth + 1) for _ in range(self.chance.randrange(4)))
        return self.chance.choice((b"}(" + pairs + b"u", b"(" + pairs + b"d"))

    def titled(self, depth: int) -> bytes:
        pairs = b"".join(
            text(self.chance.choice(NAMES)) + self.value(depth + 1) for _ in range(self.chance.randrange(4))
        )
        return b"}(" + pairs + b"u"

    def remembered(self, depth: int) -> bytes:
        self.memo += 1
        at = self.chance.choice((self.memo, self.memo, self.chance.randrange(1 << 31)))
        put = self.chance.choice((b"\x94", b"r" + struct.pack("<I", at), f"p{at}\n".encode(), b"q" + bytes([at % 256])))
        return self.value(depth + 1) + put

    def recalled(self, depth: int) -> bytes:
        at = self.chance.randrange(max(1, self.memo) + 1)
        return self.chance.choice((b"h" + bytes([at % 256]), b"j" + struct.pack("<I", at), f"g{at}\n".encode()))

    def doubled(self, depth: int) -> bytes:
        opening, closing = self.chance.choice(((b"(", b"t"), (b"](", b"e"), (b"}(", b"u"), (b"(", b"\x91")))
        made, first = self.value(depth + 1), 1000 * self.chance.randrange(1, 9)
        made += b"r" + struct.pack("<I", first) + b"0"
        for at in range(first, first + self.chance.choice((3, 40))):
            got = b"j" + struct.pack("<I", at)
            made += opening + got + got + closing + b"r" + struct.pack("<I", at + 1) + b"0"
        return made + got

    def nested(self, depth: int) -> bytes:
        count = self.chance.choice((3, 40, 250))
        key = text(self.chance.choice(("k", "k" * 50)))
        return (b"}(" + key) * count + self.value(depth + 1) + b"u" * count

    def global_(self, depth: int) -> bytes:
        path = self.chance.choice(HARMFUL if self.harmful and self.chance.random() < 0.02 else GLOBALS)
        module, _, name = path.rpartition(".")
        return self.chance.choice((named(path), text(module) + text(name) + b"\x93"))

    def call(self, depth: int) -> bytes:
        function = self.global_(depth)
        arguments = self.chance.choice((b"(" + self.several(depth, 8) + b"t", self.value(depth + 1), b")"))
        end = self.chance.choice((b"R", b"R", b"\x81", b"}\x92"))
        return function + arguments + end + (self.value(depth + 1) + b"b" if self.chance.random() < 0.3 else b"")

    def old_call(self, depth: int) -> bytes:
        module, _, name = self.chance.choice(GLOBALS).rpartition(".")
        items = b"(" + self.several(depth)
        return self.chance.choice(
            (items + f"i{module}\n{name}\n".encode(), b"(" + named(f"{module}.{name}") + items[1:] + b"o")
        )

    def storage(self, depth: int) -> bytes:
        kind, key = named(self.chance.choice(GLOBALS[6:10])), text(self.chance.choice(("0", "1", "../x")))
        count = scalar(self.chance.choice((4, 4, 4, *NUMBERS)))
        view = self.chance.choice(
            (b"", b"", b"", b"N", b"(" + text("v") + scalar(1) + scalar(2) + b"t", self.value(depth + 3))
        )
        return b"(" + text("storage") + kind + key + text("cpu") + count + view + b"tQ"

    def reference(self, depth: int) -> bytes:
        return self.chance.choice((self.value(depth + 1) + b"Q", b"Pabc\n", self.storage(depth)))

    def tensor(self, depth: int) -> bytes:
        storage = self.storage(depth) if self.chance.random() < 0.9 else self.value(depth + 1)
        count = self.chance.choice((0, 1, 1, 2, 3, 65))
        sizes = [self.chance.choice((1, 2, 2, 4, *NUMBERS)) for _ in range(2 * count)] if count else []
        shape, strides = (b"(" + b"".join(map(scalar, some)) + b"t" for some in (sizes[:count], sizes[count:]))
        offset = scalar(self.chance.choice((0, 0, 0, *NUMBERS)))
        more = b"\x89}" + self.chance.choice(
            (b"", b"}" + text("conj") + b"\x88s", b"}" + text("neg") + b"\x88s", self.value(depth + 3))
        )
        return named(self.chance.choice(GLOBALS[:3])) + b"(" + storage + offset + shape + strides + more + b"tR"

    def sound(self, depth: int) -> bytes:
        storage = b"(" + text("storage") + named("torch.FloatStorage") + text("0") + text("cpu") + b"K\x04tQ"
        return named("torch._utils._rebuild_tensor_v2") + b"(" + storage + b"K\x00K\x04\x85K\x01\x85\x89}tR"

    def noise(self, depth: int) -> bytes:
        return bytes([self.chance.randrange(256)])

    KINDS = (number, letters, constant, constant, group, group, mapping, titled, titled, remembered, recalled, doubled)
    KINDS += (nested, global_, call, call, old_call, reference, tensor, tensor, sound, sound)


def pickled(chance: Random, top: bytes = b"") -> bytes:
    """Return a pickle of a mapping."""
    made = Pickles(chance, harmful=True)
    items = top or b"".join(text(chance.choice(NAMES) + str(i)) + made.value() for i in range(chance.randrange(1, 6)))
    items += text("good") + made.sound(0) if chance.random() < 0.7 else b""
    body = bytearray(
        chance.choice((b"\x80\x02", b"", b"\x80\x04\x95" + struct.pack("<Q", len(items) + 4))) + b"}(" + items + b"u."
    )
    if chance.random() < 0.3:
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(body))
            body[at : at + chance.randrange(2)] = bytes([chance.randrange(256)] * chance.randrange(3))
    return bytes(body)


def torch_zip(chance: Random) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a/data.pkl", pickled(chance))
        archive.writestr("a/data/0", struct.pack("<4f", 1, 2, 3, 4))
        if chance.random() < 0.1:
            archive.writestr(chance.choice(("a/byteorder", "b/data.pkl", "a/data/1", "a/constants.pkl", "é")), b"big")
    return broken(chance, file.getvalue(), 0.1)


def torch_row(chance: Random) -> bytes:
    start = b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.\x80\x02}."
    keys = chance.choice((b"](" + text("0") + b"e.", b"].", b"](" + text("0") * 50 + b"e.", pickled(chance)))
    length = chance.choice((4, 4, 4, 0, 1 << 40, (1 << 64) - 1))
    return broken(chance, start + pickled(chance) + keys + struct.pack("<Q4f", length, 1, 2, 3, 4), 0.1)


def thing(chance: Random, depth: int = 0) -> object:
    """Return a value of JSON."""
    if depth > 4 or chance.random() < 0.6:
        return chance.choice((*NUMBERS, *NAMES[:-3], 1.5, None, True, float("nan"), float("inf"), "\ud800"))
    if chance.random() < 0.5:
        return [thing(chance, depth + 1) for _ in range(chance.randrange(4))]
    return {chance.choice(NAMES): thing(chance, depth + 1) for _ in range(chance.randrange(4))}


def safetensors(chance: Random) -> bytes:
    header: dict[str, object] = {}
    position = 0
    for number in range(chance.randrange(1, 5)):
        shape = [chance.choice((0, 1, 2, 3)) for _ in range(chance.randrange(3))]
        nbytes = 4
        for dim in shape:
            nbytes *= dim
        row: dict[str, object] = {"dtype": "F32", "shape": shape, "data_offsets": [position, position + nbytes]}
        position += nbytes
        if chance.random() < 0.3:
            row[chance.choice(list(row))] = thing(chance)
        if chance.random() < 0.1:
            row["dtype"] = chance.choice(DTYPES)
        header[f"{chance.choice(NAMES)}{number}"] = row if chance.random() < 0.9 else thing(chance)
    if chance.random() < 0.3:
        header["__metadata__"] = chance.choice((thing(chance), {"format": "ms", "text:t": "x", "crc_num": "0"}))
    data = json.dumps(header).encode()
    if chance.random() < 0.1:
        data = chance.choice(
            (
                b"[" * 5000,
                b'{"a":' * 5000,
                b'{"a":' + b"9" * 9000 + b"}",
                data + data,
                b'{"a":1,"a":2}',
                b"{" + b" " * 9000,
            )
        )
    length = len(data) if chance.random() < 0.95 else chance.choice((0, 1, len(data) + 1, 1 << 39, (1 << 64) - 1))
    return broken(chance, struct.pack("<Q", length) + data + bytes(position), 0.1)


def field(number: int, data: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(data)) + data


def ckpt(chance: Random) -> bytes:
    made = b""
    for number in range(chance.randrange(1, 5)):
        dims = [
            chance.choice((0, 1, 2, 3, *NUMBERS)) if chance.random() < 0.2 else chance.choice((1, 2))
            for _ in range(chance.randrange(4))
        ]
        count = 4
        for dim in dims:
            count = min(count * max(dim, 0), 1 << 12)
        kind = chance.choice(
            ("Float32", "Float32", "Int32", "str", "BFloat16", "Complex128", "Int4", "none", "", "x" * 70)
        )
        content = bytes(count if chance.random() < 0.8 else chance.randrange(64))
        parts = [b"".join(b"\x08" + varint(dim) for dim in dims), field(2, kind.encode()), field(3, content)]
        if chance.random() < 0.2:
            chance.shuffle(parts)
            parts.append(
                chance.choice(
                    (b"\x0a\x02\x01\x01", b"\x08" * 3, b"\x09" + bytes(8), b"\x0d" + bytes(4), b"\x0b", b"\xff" * 11)
                )
            )
        name = chance.choice((*NAMES, f"p{number}", f"p{number}", "p0")).encode("utf-8", "surrogatepass")
        value = field(1, name) + field(2, b"".join(parts)) * chance.choice((1, 1, 1, 1, 0, 2))
        made += field(
            chance.choice((1,) * 20 + (2, 3)), value + chance.choice((b"",) * 20 + (field(3, b""), field(9, b"abc")))
        )
    if chance.random() < 0.3:
        made += b"crc_num" + zlib.crc32(made).to_bytes(10, "big")
    return broken(chance, made, 0.2)


def npy(chance: Random) -> bytes:
    kind = chance.choice(
        ("<f4", "<f4", ">f8", "|b1", "|O", "<V2", "<U3", "<U999999999", "<M8[ns]", "<f4,<f4", "", "|S5", ">c16", "<f16")
    )
    shape = tuple(
        chance.choice((0, 1, 2, 3)) if chance.random() < 0.9 else chance.choice(NUMBERS)
        for _ in range(chance.choice((0, 1, 1, 2, 3, 70)))
    )
    row = {"descr": kind, "fortran_order": chance.choice((True, False, False, 1, None)), "shape": shape}
    if chance.random() < 0.1:
        row.pop(chance.choice(list(row)))
    header = repr(row).encode()
    if chance.random() < 0.1:
        header = chance.choice(
            (
                b"(" * 9000,
                b"-" * 9000 + b"1",
                b"{" + b" " * 60_000,
                b"__import__('os').system('x')",
                b"'\\x",
                header + header,
                header * 900,
            )
        )
    version, form = chance.choice(((b"\x01\x00", "<H"), (b"\x02\x00", "<I"), (b"\x03\x00", "<I"), (b"\x09\x00", "<I")))
    length = len(header) if chance.random() < 0.9 else chance.randrange(1 << 16)
    size = {"<f4": 4, ">f8": 8, "|b1": 1, "<V2": 2, "<U3": 12, ">c16": 16, "|S5": 5, "<f16": 16}.get(kind, 4)
    for dim in shape:
        size = min(size * max(dim, 0), 4096)
    return b"\x93NUMPY" + version + struct.pack(form, length & 0xFFFF) + header + bytes(size)


def npz(chance: Random) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", chance.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
        for number in range(chance.randrange(1, 4)):
            archive.writestr(f"a{number}.npy", npy(chance) + bytes(chance.choice((0, 0, 0, 0, 0, 1, 200_000))))
        if chance.random() < 0.1:
            archive.writestr(chance.choice(("b.txt", "é.npy", "..npy")), b"x")
    return broken(chance, file.getvalue(), 0.3)


def index(chance: Random) -> bytes:
    files = (
        "a-1.safetensors",
        "../a-1.safetensors",
        "/etc/passwd",
        "",
        ".",
        "..",
        "gone",
        "pipe",
        "x\0y",
        "a\\b",
        "x.index.json",
    )
    names = {
        chance.choice(("a", "b", *NAMES)): chance.choice((files[0], files[0], *files))
        for _ in range(chance.randrange(4))
    }
    content = chance.choice(
        (names, {"weight_map": names}, {"weight_map": names, "metadata": thing(chance)}, thing(chance))
    )
    return broken(chance, json.dumps(content).encode(), 0.1)


def cifar(chance: Random) -> bytes:
    if chance.random() < 0.5:
        return pickled(chance, Pickles(chance, harmful=True).value() + Pickles(chance, harmful=True).value())
    data = (
        b"U\x04data"
        + named("numpy.core.multiarray._reconstruct")
        + b"("
        + named("numpy.ndarray")
        + b"K\x00\x85U\x01btR"
    )
    code = chance.choice((b"U\x02u1", b"U\x02O8", b"U\x02i8", b"U\x03f16", b"N", b"U\x02V9"))
    kind = named("numpy.dtype") + b"(" + code + b"K\x00K\x01tR(K\x03U\x01|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb"
    sizes = chance.choice(((1, 3072), (1, 3072), (1, 1), (0, 3072), (1 << 40, 1 << 40), (-1, 3072)))
    shape = scalar(sizes[0]) + scalar(sizes[1]) + b"\x86"
    raw = b"T" + struct.pack("<i", 3072) + bytes(3072)
    state = b"(K\x01" + shape + kind + b"\x89" + raw + b"tb"
    labels = chance.choice(
        (b"](K\x03e", b"](K\x03K\x04e", b"]", b"(U\x01atl", b"](G" + bytes(8) + b"e", b"](\x8a\xffe", b"K\x01")
    )
    return broken(chance, b"\x80\x02}(" + data + state + b"U\x06labels" + labels + b"u.", 0.1)


def idx(chance: Random, dimensions: int) -> bytes:
    sizes = [
        chance.choice((1, 2, 2)) if chance.random() < 0.8 else chance.choice((0, 1 << 16, (1 << 32) - 1))
        for _ in range(dimensions)
    ]
    count = 1
    for size in sizes:
        count = min(count * size, 4096)
    magic = 0x800 + dimensions if chance.random() < 0.95 else chance.randrange(1 << 32)
    return broken(chance, struct.pack(f">{dimensions + 1}I", magic, *sizes) + bytes(count), 0.1)


def packed_idx(chance: Random, dimensions: int) -> bytes:
    return broken(chance, gzip.compress(idx(chance, dimensions) + bytes(chance.choice((0, 0, 0, 100_000))), 1), 0.2)


def table(chance: Random) -> bytes:
    cells = ("1", "2.5", "", "x", '"a', '"a""b"', "\0", "9" * 400, "nan", "1e999", "é", "\ufeff", "a" * 140_000)
    lines = [
        ",".join(chance.choice(cells[: 13 if chance.random() < 0.02 else 12]) for _ in range(chance.randrange(1, 4)))
        for _ in range(chance.randrange(5))
    ]
    return broken(chance, ("a,b,c\n" + "\n".join(lines)).encode("utf-8"), 0.2)


def rules(chance: Random) -> bytes:
    words = (
        'from = "a.{n}"',
        'to = "b.{n}"',
        "split = 0",
        "merge = 9",
        "sizes = [1, 2]",
        "drop = true",
        'axes = "o i -> i o"',
        "lengths = {a = 1}",
    )
    words += (
        'from = "{n:(}"',
        "to = []",
        "x = 1",
        "from = [1]",
        'to = ["a", "b"]',
        "continue = true",
        "split = " + "[" * 3000,
        "a" + ".a" * 200 + " = 1",
    )
    made = "".join(
        "[[rule]]\n" + "\n".join(chance.sample(words, chance.randrange(1, 5))) + "\n"
        for _ in range(chance.randrange(1, 4))
    )
    return broken(chance, made.encode(), 0.1)


def image(chance: Random) -> bytes:
    width, height = (chance.choice((1, 8, 0, 60_000, (1 << 31) - 1)) for _ in range(2))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, chance.choice((8, 16, 1)), chance.choice((0, 2, 3, 6)), 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(500))) + chunk(b"IEND", b"")
    bmp = (
        b"BM"
        + struct.pack("<IHHI", 200, 0, 0, 54)
        + struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, 0, 1, 1, 0, 0)
        + bytes(192)
    )
    gif = (
        b"GIF89a"
        + struct.pack("<HH", width % 65536, height % 65536)
        + b"\x80\0\0"
        + bytes(6)
        + b","
        + bytes(8)
        + b"\0\x02\x02L\x01\0;"
    )
    jpg = (
        b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\1\0\0\1\0\1\0\0\xff\xc0\0\x0b\x08"
        + struct.pack(">HH", height % 65536, width % 65536)
        + b"\1\1\x11\0\xff\xd9"
    )
    eps = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\n"
    return broken(chance, chance.choice((png, png, bmp, gif, jpg, eps)), 0.4)


def network(chance: Random) -> bytes:
    """A file that the real MindSpore wrote, of which some bytes, or names and numbers of its message, are others."""
    data = chance.choice(_networks())
    if chance.random() < 0.5:
        model = ModelProto.FromString(data)
        for _ in range(chance.choice((1, 1, 2, 5))):
            _change(chance, model)
        data = model.SerializeToString()
    for _ in range(chance.choice((1, 1, 2, 4))):
        data = broken(chance, data, 0.6)
    return data


@functools.cache
def _networks() -> list[bytes]:
    every = [mindir_files.content(name) for name in mindir_files.cases()]
    return [data for data in every if len(data) < 20_000]


def _change(chance: Random, model: ModelProto) -> None:
    """Change one node, parameter or graph of a model."""
    graph = chance.choice([model.graph, *model.functions])
    if not graph.node:
        return
    one, other = chance.choice(graph.node), chance.choice(graph.node)
    kind = chance.randrange(8)
    if kind == 0:
        one.op_type = other.op_type
    elif kind == 1 and one.input:
        one.input[chance.randrange(len(one.input))] = other.output[0] if other.output else graph.name
    elif kind == 2:
        one.CopyFrom(other)
    elif kind == 3 and one.input:
        del one.input[chance.randrange(len(one.input)) :]
    elif kind == 4:
        one.input.extend(list(other.input)[:20] * chance.choice((1, 1000)))
    elif kind == 5 and model.primitives:
        chance.choice(model.primitives).op_type = chance.choice(model.primitives).op_type
    elif kind == 6 and model.graph.parameter:
        chance.choice(model.graph.parameter).dims.append(chance.choice((0, 3, -1, 1 << 40)))
    elif graph.output:
        graph.output[0].name = other.output[0] if other.output else ""


def broken(chance: Random, data: bytes, share: float) -> bytes:
    """Flip, set, cut out, repeat or cut off some bytes, of a share of the files."""
    if not data or chance.random() >= share:
        return data
    raw = bytearray(data)
    at, other = chance.randrange(len(raw)), chance.randrange(len(raw))
    kind = chance.randrange(6)
    if kind == 0:
        raw[at] ^= 1 << chance.randrange(8)
    elif kind == 1:
        raw[at : at + 4] = struct.pack("<I", chance.choice(NUMBERS) & 0xFFFFFFFF)
    elif kind == 2:
        raw[at : at + 8] = chance.choice((b"\xff", b"\0", b"\x7f")) * 8
    elif kind == 3:
        del raw[at:]
    elif kind == 4:
        del raw[at : at + chance.randrange(20)]
    else:
        raw[at:at] = raw[other : other + chance.randrange(40)]
    return bytes(raw)


Generator = Callable[[Random], bytes]
