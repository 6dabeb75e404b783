"""Errors of MindRecord files, under MindSpore's names."""

from enum import Enum

from msbridge.core.releases.rows import Default

__all__ = ["FAILED", "SUCCESS"]


class MSRStatus(Enum):
    """The status that writing methods return in releases before 2.10."""

    SUCCESS = 0
    FAILED = 1


SUCCESS = MSRStatus.SUCCESS
FAILED = MSRStatus.FAILED
_MINDRECORD = 0x50540000  # of its error codes
_RESULT = Default("mindrecord.FileWriter.commit", "nothing")


def writing_result() -> MSRStatus | None:
    """Return the result of a FileWriter's method that has done its work, in the followed release."""
    return SUCCESS if _RESULT.value == "status" else None


class MindRecordException(Exception):
    """Root of the errors of this format: each class has a number and a text, which a detail may follow.

    Follows: mindspore.mindrecord.common.exceptions.MindRecordException (2.10).
    """

    _number = 0
    _text = "Unknown Error."

    def __init_subclass__(cls, number: int = 0, text: str = "Unknown Error.") -> None:
        super().__init_subclass__()
        cls._number, cls._text = number, text

    def __init__(self, error_detail: str = "") -> None:
        super().__init__(*[error_detail] * bool(error_detail))
        self.error_msg = f"{self._text} {error_detail}".rstrip()

    @property
    def error_code(self) -> int:
        """The number of the class, of its group and of MindRecord in one."""
        return self.transform_error_code(self._number)

    @staticmethod
    def transform_error_code(exception_no: int) -> int:
        """Return an error code: MindRecord's number, the group (one for each hundred), and the error's."""
        return _MINDRECORD | (exception_no // 100 + 1) << 12 | exception_no

    def __str__(self) -> str:
        return f"[{type(self).__name__}]: {self.error_msg}"


def _with_detail(self: MindRecordException, error_detail: object) -> None:
    MindRecordException.__init__(self, str(error_detail))


class ParamTypeError(MindRecordException, number=1, text="Invalid parameter type."):
    """An argument is of another type."""

    def __init__(self, param_name: str, expected_type: str) -> None:
        super().__init__(f"'{param_name}' expect {expected_type} type.")
        self.args = param_name, expected_type


class ParamValueError(MindRecordException, number=2, text="Invalid parameter value."):
    """An argument is of another type or not allowed."""

    __init__ = _with_detail


class PathNotExistsError(MindRecordException, number=4, text="Invalid path."):
    """A file of a dataset is missing."""

    def __init__(self, error_path: object) -> None:
        super().__init__(str(error_path))


class MRMInvalidSchemaError(MindRecordException, number=200, text="Schema format is error. Detail:"):
    """A schema names no fields, or a field that cannot be stored."""

    __init__ = _with_detail


class MRMBuildSchemaError(MindRecordException, number=113, text="Failed to build schema."):
    """A schema has a shape that cannot be stored."""


class MRMAddSchemaError(MindRecordException, number=111, text="Failed to add schema."):
    """There is a schema already."""


class MRMGetMetaError(MindRecordException, number=114, text="Failed to get meta info."):
    """There is no schema yet."""


class MRMDefineIndexError(MindRecordException, number=202, text="Failed to define index field. Detail:"):
    """An index was asked of a field that is not a number or string."""

    __init__ = _with_detail


class MRMDefineCategoryError(MindRecordException, number=205, text="Failed to define category field. Detail:"):
    """A field has no index, so nothing can be looked up by it."""

    __init__ = _with_detail


class MRMUnsupportedSchemaError(MindRecordException, number=204, text="Schema is not supported. Detail:"):
    """A stored value does not have the shape that the schema says."""

    __init__ = _with_detail


# Those that r1.x raised, and scripts may catch; nothing here does.
class UnknownError(MindRecordException):
    """Something else."""


class ParamMissError(MindRecordException, number=3, text="Param missing."):
    """An argument is missing."""

    def __init__(self, param_name: str) -> None:
        super().__init__(f"'{param_name}' is required.")
        self.args = (param_name,)


class DbConnectionError(MindRecordException, number=5, text="Db connection is error. Detail:"):
    """An index cannot be opened."""

    __init__ = _with_detail


class MRMOpenError(MindRecordException, number=100, text="MindRecord File could not open successfully."):
    """A file cannot be opened."""


class MRMOpenForAppendError(
    MindRecordException, number=101, text="MindRecord File could not open successfully for append."
):
    """A file cannot be opened for appending."""


class MRMInvalidPageSizeError(MindRecordException, number=102, text="Failed to set page size."):
    """The size of pages is not allowed."""


class MRMInvalidHeaderSizeError(MindRecordException, number=103, text="Failed to set header size."):
    """The size of the header is not allowed."""


class MRMSetHeaderError(MindRecordException, number=104, text="Failed to set header."):
    """The header cannot be set."""


class MRMWriteDatasetError(MindRecordException, number=105, text="Failed to write dataset."):
    """Rows cannot be written."""


class MRMCommitError(MindRecordException, number=107, text="Failed to commit."):
    """Files cannot be completed."""


class MRMLaunchError(MindRecordException, number=108, text="Failed to launch."):
    """Reading cannot begin."""


class MRMFinishError(MindRecordException, number=109, text="Failed to finish."):
    """Reading cannot end."""


class MRMCloseError(MindRecordException, number=110, text="Failed to close."):
    """A file cannot be closed."""


class MRMAddIndexError(MindRecordException, number=112, text="Failed to add index field."):
    """An index cannot be added."""


class MRMIndexGeneratorError(MindRecordException, number=115, text="Failed to create index generator."):
    """An index cannot be begun."""


class MRMGenerateIndexError(MindRecordException, number=116, text="Failed to generate index."):
    """An index cannot be written."""


class MRMInitSegmentError(MindRecordException, number=117, text="Failed to initialize segment."):
    """Looking rows up cannot begin."""


class MRMFetchCandidateFieldsError(MindRecordException, number=118, text="Failed to fetch candidate category fields."):
    """The indexed fields cannot be read."""


class MRMReadCategoryInfoError(MindRecordException, number=119, text="Failed to read category information."):
    """Categories cannot be read."""


class MRMFetchDataError(MindRecordException, number=120, text="Failed to fetch data by category."):
    """Rows of a category cannot be read."""


class MRMValidateDataError(MindRecordException, number=201, text="Raw data do not match the schema. Detail:"):
    """A row does not fit the schema."""

    __init__ = _with_detail


class MRMDefineBlobError(MindRecordException, number=203, text="Failed to define blob field. Detail:"):
    """A field cannot be stored as bytes."""

    __init__ = _with_detail


MAX_CHARACTERS_SHOWN = 500


def damage_error(path: object, what: str) -> RuntimeError:
    """Return the error for a file that is not a MindRecord file, or no longer a complete one."""
    what = what if len(what) <= MAX_CHARACTERS_SHOWN else f"{what[:MAX_CHARACTERS_SHOWN]} …"
    return RuntimeError(
        f"Invalid file, {path}: {what}. Is it a complete file that FileWriter wrote, not renamed, with its .db beside?"
    )
