"""Callbacks: what is done beside the steps of a run."""

from msbridge.core.runtime.callback import Callback, RunContext
from msbridge.train.callbacks.backup import BackupAndRestore
from msbridge.train.callbacks.callback import CallbackManager as CallbackManager
from msbridge.train.callbacks.callback import InternalCallbackParam as InternalCallbackParam
from msbridge.train.callbacks.checkpoint import CheckpointConfig, ModelCheckpoint
from msbridge.train.callbacks.early_stopping import EarlyStopping
from msbridge.train.callbacks.exiting import OnRequestExit
from msbridge.train.callbacks.fault_tolerance import TrainFaultTolerance
from msbridge.train.callbacks.flops import FlopsUtilizationCollector
from msbridge.train.callbacks.history import History
from msbridge.train.callbacks.lambda_callback import LambdaCallback
from msbridge.train.callbacks.learning_rate_scheduler import LearningRateScheduler
from msbridge.train.callbacks.manager import CheckpointManager as CheckpointManager
from msbridge.train.callbacks.monitors import LossMonitor, TimeMonitor
from msbridge.train.callbacks.plateau import ReduceLROnPlateau

__all__ = [
    "BackupAndRestore",
    "Callback",
    "CheckpointConfig",
    "EarlyStopping",
    "FlopsUtilizationCollector",
    "History",
    "LambdaCallback",
    "LearningRateScheduler",
    "LossMonitor",
    "ModelCheckpoint",
    "OnRequestExit",
    "ReduceLROnPlateau",
    "RunContext",
    "TimeMonitor",
    "TrainFaultTolerance",
]
