from face_tests import RecordedTests

from msbridge.numpy import dtypes


class TestDtypes(RecordedTests):
    face = dtypes
