from msbridge.numpy import dtypes
from tests.numpy.face_tests import RecordedTests


class TestDtypes(RecordedTests):
    face = dtypes
