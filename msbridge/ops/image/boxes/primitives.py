"""Primitives of boxes."""

from msbridge.ops.image.boxes import functions
from msbridge.ops.image.boxes.kernels import align_regions, suppress
from msbridge.ops.primitive.primitive import derive

DERIVED = (
    derive("BoundingBoxDecode", functions.bounding_box_decode, "max_shape means stds wh_ratio_clip"),
    derive("BoundingBoxEncode", functions.bounding_box_encode, "means stds"),
    derive("CheckValid", functions.check_valid),
    derive("IOU", functions.iou, "mode"),
    derive("NMSWithMask", suppress, "iou_threshold", iou_threshold=0.5),
    derive("ROIAlign", align_regions, "pooled_height pooled_width spatial_scale sample_num roi_end_mode"),
)
