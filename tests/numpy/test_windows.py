from msbridge.numpy import windows
from tests.numpy.face_tests import RecordedTests


class TestWindows(RecordedTests):
    face = windows
