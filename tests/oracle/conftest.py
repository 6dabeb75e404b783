"""The cases say `import mindspore`; in these tests that is msbridge."""

import msbridge

msbridge.install()
