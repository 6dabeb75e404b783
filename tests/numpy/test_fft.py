from msbridge.numpy import fft
from tests.numpy.face_tests import RecordedTests


class TestFft(RecordedTests):
    face = fft
