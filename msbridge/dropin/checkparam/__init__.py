"""The argument checks of `mindspore._checkparam`."""
