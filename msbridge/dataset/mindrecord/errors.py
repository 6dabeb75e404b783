"""What goes wrong with MindRecord files, under MindSpore's names.

Follows: mindspore.mindrecord.common.exceptions (2.10).
"""

from enum import Enum

from msbridge.core.releases.rows import Default

__all__ = ["FAILED", "SUCCESS"]


class MSRStatus(Enum):
    """What releases before 2.10 give back from their writing methods."""

    SUCCESS = 0
    FAILED = 1


SUCCESS = MSRStatus.SUCCESS
FAILED = MSRStatus.FAILED
_RESULT = Default("mindrecord.FileWriter.commit", "nothing")


def written() -> MSRStatus | None:
    """Return what a method of a FileWriter gives back once it has done its work, in the followed release."""
    return SUCCESS if _RESULT.value == "status" else None


class MindRecordException(Exception):
    """Root of the errors of this format."""


class ParamTypeError(MindRecordException):
    """An argument is of another type."""


class ParamValueError(MindRecordException):
    """An argument is of another type or not allowed."""


class PathNotExistsError(MindRecordException):
    """A file of a dataset is missing."""


class MRMInvalidSchemaError(MindRecordException):
    """A schema names no fields, or a field that cannot be stored."""


class MRMBuildSchemaError(MindRecordException):
    """A schema has a shape that cannot be stored."""


class MRMAddSchemaError(MindRecordException):
    """There is a schema already."""


class MRMGetMetaError(MindRecordException):
    """There is no schema yet."""


class MRMDefineIndexError(MindRecordException):
    """An index was asked of a field that is no number or string."""


class MRMDefineCategoryError(MindRecordException):
    """A field has no index, so nothing can be looked up by it."""


class MRMUnsupportedSchemaError(MindRecordException):
    """A stored value does not have the shape that the schema says."""


# Those that r1.x raised, and scripts may catch; nothing here does.
class UnknownError(MindRecordException):
    """Something else."""


class ParamMissError(MindRecordException):
    """An argument is missing."""


class DbConnectionError(MindRecordException):
    """An index cannot be opened."""


class MRMOpenError(MindRecordException):
    """A file cannot be opened."""


class MRMOpenForAppendError(MindRecordException):
    """A file cannot be opened for appending."""


class MRMInvalidPageSizeError(MindRecordException):
    """The size of pages is not allowed."""


class MRMInvalidHeaderSizeError(MindRecordException):
    """The size of the header is not allowed."""


class MRMSetHeaderError(MindRecordException):
    """The header cannot be set."""


class MRMWriteDatasetError(MindRecordException):
    """Rows cannot be written."""


class MRMCommitError(MindRecordException):
    """Files cannot be completed."""


class MRMLaunchError(MindRecordException):
    """Reading cannot begin."""


class MRMFinishError(MindRecordException):
    """Reading cannot end."""


class MRMCloseError(MindRecordException):
    """A file cannot be closed."""


class MRMAddIndexError(MindRecordException):
    """An index cannot be added."""


class MRMIndexGeneratorError(MindRecordException):
    """An index cannot be begun."""


class MRMGenerateIndexError(MindRecordException):
    """An index cannot be written."""


class MRMInitSegmentError(MindRecordException):
    """Looking rows up cannot begin."""


class MRMFetchCandidateFieldsError(MindRecordException):
    """The indexed fields cannot be read."""


class MRMReadCategoryInfoError(MindRecordException):
    """Categories cannot be read."""


class MRMFetchDataError(MindRecordException):
    """Rows of a category cannot be read."""


class MRMValidateDataError(MindRecordException):
    """A row does not fit the schema."""


class MRMDefineBlobError(MindRecordException):
    """A field cannot be stored as bytes."""


MAX_CHARACTERS_SHOWN = 500


def damaged(path: object, what: str) -> RuntimeError:
    """Return the error for a file that is no MindRecord file, or no longer a complete one."""
    what = what if len(what) <= MAX_CHARACTERS_SHOWN else f"{what[:MAX_CHARACTERS_SHOWN]} …"
    return RuntimeError(
        f"Invalid file, {path}: {what}. Is it a complete file that FileWriter wrote, not renamed, with its .db beside?"
    )
