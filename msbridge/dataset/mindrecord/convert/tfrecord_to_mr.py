"""TFRecord files as MindRecord files."""

from collections.abc import Iterator, Mapping
from string import punctuation
from typing import Any

import numpy as np

from msbridge.dataset.mindrecord.arguments import check_path
from msbridge.dataset.mindrecord.convert.base import write_rows
from msbridge.dataset.mindrecord.errors import SUCCESS, MSRStatus
from msbridge.dataset.mindrecord.writing.file_writer import FileWriter
from msbridge.dataset.readers.streamed.example import BYTES, MISSING, Feature, parse_example
from msbridge.dataset.readers.streamed.records import is_record_file, read_records

__all__ = ["TFRecordToMR"]

# TensorFlow's dtypes → those of MindRecord.
TYPES = {
    "string": "string",
    **dict.fromkeys(("int8", "int16", "int32", "uint8", "uint16", "bool"), "int32"),
    **dict.fromkeys(("int64", "uint32", "uint64"), "int64"),
    **dict.fromkeys(("float16", "float32"), "float32"),
    **dict.fromkeys(("float64", "double"), "float64"),
}
UNDERSCORES = str.maketrans(dict.fromkeys(punctuation + " ", "_"))


class TFRecordToMR:
    """A TFRecord file of `tf.train.Example`s: one field per feature. TensorFlow itself is not needed.

    Characters of a feature's name that no field may have become "_".

    Args:
        source: the TFRecord file.
        destination: the file to write.
        feature_dict: name → `tf.io.FixedLenFeature`, or anything with `shape` ([] or [n]), `dtype` (TensorFlow's, or
            the name of one such as "int64"), and perhaps `default_value`.
        bytes_fields: features of strings that are stored as bytes.

    Raises:
        ValueError: an argument is of another type or not allowed.

    Examples:
        >>> from types import SimpleNamespace
        >>> features = {"label": SimpleNamespace(shape=[], dtype="int64")}
        >>> TFRecordToMR("/tmp/data.tfrecord", "/tmp/data.mindrecord", features).mindrecord_schema
        {'label': {'type': 'int64'}}

    Follows: mindspore.mindrecord.TFRecordToMR (2.10).
    """

    def __init__(
        self, source: str, destination: str, feature_dict: dict[str, Any], bytes_fields: list[str] | None = None
    ) -> None:
        for name, value in (("source", source), ("destination", destination)):
            if not isinstance(value, str):
                raise ValueError(f"Parameter {name} must be string, got {value!r}.")
        self.source, self.destination = check_path(source), str(check_path(destination))
        if not isinstance(feature_dict, dict):
            raise ValueError(f"Parameter feature_dict is None or not dict, got {feature_dict!r}.")
        self.feature_dict: Mapping[str, Any] = feature_dict
        if bytes_fields is not None and not isinstance(bytes_fields, list):
            raise ValueError(f"Parameter bytes_fields: {bytes_fields!r} must be list(str).")
        for name in bytes_fields or []:
            if not isinstance(name, str) or name not in feature_dict or _type(name, feature_dict[name]) != "string":
                raise ValueError(f"Parameter bytes_fields's item: {name!r} is not a string feature of feature_dict.")
        self._bytes = set(bytes_fields or [])
        self.mindrecord_schema = {_field(name): self._entry(name, each) for name, each in feature_dict.items()}

    def run(self) -> MSRStatus:
        """Write the file, as `transform` does."""
        writer = FileWriter(self.destination)
        writer.add_schema(self.mindrecord_schema, "TFRecord to MindRecord")
        write_rows(writer, self._rows())
        return SUCCESS

    def transform(self) -> MSRStatus:
        """Write the rows.

        Raises:
            OSError: there is no such TFRecord file.
            ValueError: a feature is missing, or of another type or length.
            RuntimeError: the TFRecord file is damaged, or the destination is there already.
        """
        return self.run()

    def tfrecord_iterator(self) -> Iterator[dict[str, Any]]:
        """Yield the rows as FileWriter takes them.

        Follows: mindspore.mindrecord.TFRecordToMR.tfrecord_iterator (2.10).
        """
        return self._rows()

    def _rows(self) -> Iterator[dict[str, Any]]:
        if not is_record_file(self.source, ""):
            raise RuntimeError(f"Invalid file, {self.source} is not a TFRecord file.")
        for records in read_records(self.source, ""):
            for record in records:
                try:
                    found = parse_example(record, self.feature_dict)
                    yield {_field(name): self._value(name, feature) for name, feature in found.items()}
                except ValueError as error:
                    raise ValueError(f"TFRecord feature_dict parameter error: {self.source}, {error}.") from error

    def _entry(self, name: str, feature: Any) -> dict[str, Any]:
        kind, shape = _type(name, feature), list(feature.shape or [])
        if not shape:
            return {"type": "bytes" if name in self._bytes else kind}
        if len(shape) != 1 or not isinstance(shape[0], int) or shape[0] < 1:
            raise ValueError(f"Parameter feature_dict[{name}].shape should be [] or [n] with n > 0, got {shape}.")
        if kind == "string":
            raise ValueError(f"Parameter feature_dict[{name}].dtype is string, whose shape must be [], got {shape}.")
        return {"type": kind, "shape": shape}

    def _value(self, name: str, feature: Feature) -> Any:
        wanted = self.feature_dict[name]
        kind, values = _type(name, wanted), feature.values
        default = getattr(wanted, "default_value", None)
        if feature.kind == MISSING and default is not None:
            values = np.reshape(default, -1).tolist()
        elif (feature.kind == BYTES) != (kind == "string"):
            raise ValueError(f"feature {name!r} is missing or of another type than {kind}")
        size = (wanted.shape or [1])[0]
        if len(values) != size:
            raise ValueError(f"feature {name!r} has {len(values)} values, there should be {size}")
        if wanted.shape:
            return np.asarray(values, kind)
        if kind == "string":
            data = values[0].encode() if isinstance(values[0], str) else bytes(values[0])
            return data if name in self._bytes else data.decode()
        return int(values[0]) if kind.startswith("int") else float(values[0])


def _field(name: str) -> str:
    return name.translate(UNDERSCORES)


def _type(name: str, feature: Any) -> str:
    if not hasattr(feature, "shape") or not hasattr(feature, "dtype"):
        raise ValueError(f"Parameter feature_dict[{name}] must be a FixedLenFeature, got {feature!r}.")
    kind = getattr(feature.dtype, "name", feature.dtype)
    if kind not in TYPES:
        raise ValueError(f"Type {kind} of feature_dict[{name}] is not supported in MindRecord.")
    return TYPES[kind]
