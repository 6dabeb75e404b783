"""The records of summary files.

Follows: mindspore.train.summary_pb2 (2.10).
"""

from typing import Any

from msbridge.converters.messages import anf_ir
from msbridge.converters.messages.schema import Messages, Schema

MESSAGES: Messages = {
    "Event": {  # a record of a summary file
        "wall_time": (1, "required double"),
        "step": (2, "int64"),
        "version": (3, "string", "what"),
        "graph_def": (4, "GraphProto", "what"),
        "summary": (5, "Summary", "what"),
        "explain": (6, "Explain", "what"),
    },
    "LossLandscape": {  # the loss on a plane around a minimum
        "landscape": (1, "LossLandscape.Point"),
        "loss_path": (2, "LossLandscape.LossPath"),
        "metadata": (3, "LossLandscape.Metadata"),
        "convergence_point": (4, "LossLandscape.Point"),
    },
    "LossLandscape.Point": {  # coordinates and values
        "x": (1, "TensorProto"),
        "y": (2, "TensorProto"),
        "z": (3, "TensorProto"),
    },
    "LossLandscape.LossPath": {  # the way of training over the plane
        "intervals": (1, "repeated int32"),
        "points": (2, "LossLandscape.Point"),
    },
    "LossLandscape.Metadata": {  # how the plane was found
        "decomposition": (1, "string"),
        "unit": (2, "string"),
        "step_per_epoch": (3, "int32"),
    },
    "Summary": {  # what a step noted
        "value": (1, "repeated Summary.Value"),
    },
    "Summary.Image": {  # an image in a format of files
        "height": (1, "required int32"),
        "width": (2, "required int32"),
        "colorspace": (3, "required int32"),
        "encoded_image": (4, "required bytes"),
    },
    "Summary.Histogram": {  # how values are distributed
        "buckets": (1, "repeated Summary.Histogram.bucket"),
        "nan_count": (2, "int64"),
        "pos_inf_count": (3, "int64"),
        "neg_inf_count": (4, "int64"),
        "max": (5, "double"),
        "min": (6, "double"),
        "sum": (7, "double"),
        "count": (8, "int64"),
    },
    "Summary.Histogram.bucket": {  # one bar
        "left": (1, "required double"),
        "width": (2, "required double"),
        "count": (3, "required int64"),
    },
    "Summary.Value": {  # a noted value by name
        "tag": (1, "required string"),
        "scalar_value": (3, "float", "value"),
        "image": (4, "Summary.Image", "value"),
        "tensor": (8, "TensorProto", "value"),
        "histogram": (9, "Summary.Histogram", "value"),
        "loss_landscape": (10, "LossLandscape", "value"),
    },
    "Explain": {  # what explains the decisions of a network
        "sample_id": (1, "int32"),
        "image_path": (2, "string"),
        "ground_truth_label": (3, "repeated int32"),
        "inference": (4, "Explain.Inference"),
        "explanation": (5, "repeated Explain.Explanation"),
        "benchmark": (6, "repeated Explain.Benchmark"),
        "metadata": (7, "Explain.Metadata"),
        "status": (8, "string"),
        "hoc": (9, "repeated Explain.Hoc"),
    },
    "Explain.Inference": {  # probabilities of labels
        "ground_truth_prob": (1, "repeated float"),
        "predicted_label": (2, "repeated int32"),
        "predicted_prob": (3, "repeated float"),
        "ground_truth_prob_sd": (4, "repeated float"),
        "ground_truth_prob_itl95_low": (5, "repeated float"),
        "ground_truth_prob_itl95_hi": (6, "repeated float"),
        "predicted_prob_sd": (7, "repeated float"),
        "predicted_prob_itl95_low": (8, "repeated float"),
        "predicted_prob_itl95_hi": (9, "repeated float"),
    },
    "Explain.Explanation": {  # a heat map
        "explain_method": (1, "string"),
        "label": (2, "int32"),
        "heatmap_path": (3, "string"),
    },
    "Explain.Benchmark": {  # scores of a method of explaining
        "benchmark_method": (1, "string"),
        "explain_method": (2, "string"),
        "total_score": (3, "float"),
        "label_score": (4, "repeated float"),
    },
    "Explain.Metadata": {  # labels and methods
        "label": (1, "repeated string"),
        "explain_method": (2, "repeated string"),
        "benchmark_method": (3, "repeated string"),
    },
    "Explain.HocLayer": {  # a level of a hierarchical occlusion
        "prob": (1, "float"),
        "box": (2, "repeated int32"),
    },
    "Explain.Hoc": {  # a hierarchical occlusion
        "label": (1, "int32"),
        "mask": (2, "string"),
        "layer": (3, "repeated Explain.HocLayer"),
    },
}

SCHEMA = Schema("summary.proto", "mindspore.irpb", MESSAGES, imports=(anf_ir.SCHEMA,))
__all__ = SCHEMA.top_level_names()


def __getattr__(name: str) -> Any:
    return SCHEMA.member(__name__, name)
