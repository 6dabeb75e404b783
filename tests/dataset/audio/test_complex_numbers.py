from msbridge.dataset.audio import complex_numbers
from tests.dataset.audio.audio_tests import RecordedTests, RefusalTests


class TestComplexNumbers(RecordedTests, RefusalTests):
    module = complex_numbers
