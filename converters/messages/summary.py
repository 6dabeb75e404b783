"""The records of summary files.

Follows: mindspore.train.summary_pb2 (2.10).
"""

from msbridge.converters.messages.anf_ir import GraphProto, TensorProto
from msbridge.converters.messages.fields import Forward, optional, repeated, required
from msbridge.converters.messages.message import Message

__all__ = ["Event", "Explain", "LossLandscape", "Summary"]

PACKAGE = "mindspore.irpb"


class Event(Message, package=PACKAGE):
    """A record of a summary file."""

    wall_time = required(1, "double")
    step = optional(2, "int64")
    version = optional(3, "string", "what")
    graph_def = optional(4, GraphProto, "what")
    summary = optional(5, Forward("Summary"), "what")
    explain = optional(6, Forward("Explain"), "what")


class LossLandscape(Message, package=PACKAGE):
    """The loss on a plane around a minimum."""

    class Point(Message, package=PACKAGE):
        """Coordinates and values."""

        x = optional(1, TensorProto)
        y = optional(2, TensorProto)
        z = optional(3, TensorProto)

    class LossPath(Message, package=PACKAGE):
        """The way of training over the plane."""

        intervals = repeated(1, "int32")
        points = optional(2, Forward("LossLandscape.Point"))

    class Metadata(Message, package=PACKAGE):
        """How the plane was found."""

        decomposition = optional(1, "string")
        unit = optional(2, "string")
        step_per_epoch = optional(3, "int32")

    landscape = optional(1, Point)
    loss_path = optional(2, LossPath)
    metadata = optional(3, Metadata)
    convergence_point = optional(4, Point)


class Summary(Message, package=PACKAGE):
    """What a step noted."""

    class Image(Message, package=PACKAGE):
        """An image in a format of files."""

        height = required(1, "int32")
        width = required(2, "int32")
        colorspace = required(3, "int32")
        encoded_image = required(4, "bytes")

    class Histogram(Message, package=PACKAGE):
        """How values are distributed."""

        class bucket(Message, package=PACKAGE):
            """One bar."""

            left = required(1, "double")
            width = required(2, "double")
            count = required(3, "int64")

        buckets = repeated(1, bucket)
        nan_count = optional(2, "int64")
        pos_inf_count = optional(3, "int64")
        neg_inf_count = optional(4, "int64")
        max = optional(5, "double")
        min = optional(6, "double")
        sum = optional(7, "double")
        count = optional(8, "int64")

    class Value(Message, package=PACKAGE):
        """A noted value by name."""

        tag = required(1, "string")
        scalar_value = optional(3, "float", "value")
        image = optional(4, Forward("Summary.Image"), "value")
        tensor = optional(8, TensorProto, "value")
        histogram = optional(9, Forward("Summary.Histogram"), "value")
        loss_landscape = optional(10, LossLandscape, "value")

    value = repeated(1, Value)


class Explain(Message, package=PACKAGE):
    """What explains the decisions of a network."""

    class Inference(Message, package=PACKAGE):
        """Probabilities of labels."""

        ground_truth_prob = repeated(1, "float")
        predicted_label = repeated(2, "int32")
        predicted_prob = repeated(3, "float")
        ground_truth_prob_sd = repeated(4, "float")
        ground_truth_prob_itl95_low = repeated(5, "float")
        ground_truth_prob_itl95_hi = repeated(6, "float")
        predicted_prob_sd = repeated(7, "float")
        predicted_prob_itl95_low = repeated(8, "float")
        predicted_prob_itl95_hi = repeated(9, "float")

    class Explanation(Message, package=PACKAGE):
        """A heat map."""

        explain_method = optional(1, "string")
        label = optional(2, "int32")
        heatmap_path = optional(3, "string")

    class Benchmark(Message, package=PACKAGE):
        """Scores of a method of explaining."""

        benchmark_method = optional(1, "string")
        explain_method = optional(2, "string")
        total_score = optional(3, "float")
        label_score = repeated(4, "float")

    class Metadata(Message, package=PACKAGE):
        """Labels and methods."""

        label = repeated(1, "string")
        explain_method = repeated(2, "string")
        benchmark_method = repeated(3, "string")

    class HocLayer(Message, package=PACKAGE):
        """A level of a hierarchical occlusion."""

        prob = optional(1, "float")
        box = repeated(2, "int32")

    class Hoc(Message, package=PACKAGE):
        """A hierarchical occlusion."""

        label = optional(1, "int32")
        mask = optional(2, "string")
        layer = repeated(3, Forward("Explain.HocLayer"))

    sample_id = optional(1, "int32")
    image_path = optional(2, "string")
    ground_truth_label = repeated(3, "int32")
    inference = optional(4, Inference)
    explanation = repeated(5, Explanation)
    benchmark = repeated(6, Benchmark)
    metadata = optional(7, Metadata)
    status = optional(8, "string")
    hoc = repeated(9, Hoc)
