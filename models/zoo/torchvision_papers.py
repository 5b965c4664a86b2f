"""Papers of torchvision's architectures, and their names as people write them."""

import re

__all__ = ["source", "title"]

# The beginning of an id → the name as its authors write it, and the paper. The longest match counts.
_PAPERS = {
    "alexnet": (
        "AlexNet",
        "Krizhevsky, One weird trick for parallelizing convolutional neural networks, 2014",
    ),
    "convnext_": ("ConvNeXt ", "Liu et al., A ConvNet for the 2020s, 2022"),
    "deeplabv3_": ("DeepLabV3 ", "Chen et al., Rethinking atrous convolution for image segmentation, 2017"),
    "densenet": ("DenseNet-", "Huang et al., Densely connected convolutional networks, 2017"),
    "efficientnet_": ("EfficientNet ", "Tan and Le, EfficientNet: rethinking model scaling, 2019"),
    "efficientnet_v2_": (
        "EfficientNetV2 ",
        "Tan and Le, EfficientNetV2: smaller models and faster training, 2021",
    ),
    "fasterrcnn_": ("Faster R-CNN ", "Ren et al., Faster R-CNN: real-time object detection, 2015"),
    "fcn_": ("FCN ", "Long et al., Fully convolutional networks for semantic segmentation, 2015"),
    "fcos_": ("FCOS ", "Tian et al., FCOS: fully convolutional one-stage object detection, 2019"),
    "googlenet": ("GoogLeNet", "Szegedy et al., Going deeper with convolutions, 2015"),
    "inception_": ("Inception ", "Szegedy et al., Rethinking the Inception architecture, 2016"),
    "keypointrcnn_": ("Keypoint R-CNN ", "He et al., Mask R-CNN, 2017"),
    "lraspp_": ("Lite R-ASPP ", "Howard et al., Searching for MobileNetV3, 2019"),
    "maskrcnn_": ("Mask R-CNN ", "He et al., Mask R-CNN, 2017"),
    "maxvit_": ("MaxViT ", "Tu et al., MaxViT: multi-axis vision transformer, 2022"),
    "mc3_": ("MC3-", "Tran et al., A closer look at spatiotemporal convolutions, 2018"),
    "mnasnet": ("MNASNet ", "Tan et al., MnasNet: platform-aware neural architecture search, 2019"),
    "mobilenet_v2": (
        "MobileNetV2",
        "Sandler et al., MobileNetV2: inverted residuals and linear bottlenecks, 2018",
    ),
    "mobilenet_v3_": ("MobileNetV3 ", "Howard et al., Searching for MobileNetV3, 2019"),
    "mvit_v1_": ("MViT ", "Fan et al., Multiscale vision transformers, 2021"),
    "mvit_v2_": ("MViTv2 ", "Li et al., MViTv2: improved multiscale vision transformers, 2022"),
    "r2plus1d_": ("R(2+1)D-", "Tran et al., A closer look at spatiotemporal convolutions, 2018"),
    "r3d_": ("R3D-", "Tran et al., A closer look at spatiotemporal convolutions, 2018"),
    "raft_": ("RAFT ", "Teed and Deng, RAFT: recurrent all-pairs field transforms, 2020"),
    "regnet_x_": ("RegNetX ", "Radosavovic et al., Designing network design spaces, 2020"),
    "regnet_y_": ("RegNetY ", "Radosavovic et al., Designing network design spaces, 2020"),
    "resnet": ("ResNet-", "He et al., Deep residual learning for image recognition, 2016"),
    "resnext": ("ResNeXt-", "Xie et al., Aggregated residual transformations for deep neural networks, 2017"),
    "retinanet_": ("RetinaNet ", "Lin et al., Focal loss for dense object detection, 2017"),
    "s3d": ("S3D", "Xie et al., Rethinking spatiotemporal feature learning, 2018"),
    "shufflenet_v2_x": ("ShuffleNetV2 ×", "Ma et al., ShuffleNet V2: practical guidelines, 2018"),
    "squeezenet": ("SqueezeNet ", "Iandola et al., SqueezeNet: AlexNet-level accuracy, 2016"),
    "ssd300_": ("SSD300 ", "Liu et al., SSD: single shot multibox detector, 2016"),
    "ssdlite320_": (
        "SSDlite320 ",
        "Sandler et al., MobileNetV2: inverted residuals and linear bottlenecks, 2018",
    ),
    "swin3d_": ("Video Swin ", "Liu et al., Video Swin transformer, 2022"),
    "swin_": ("Swin ", "Liu et al., Swin Transformer: hierarchical vision transformer, 2021"),
    "swin_v2_": ("Swin V2 ", "Liu et al., Swin Transformer V2: scaling up capacity and resolution, 2022"),
    "vgg": ("VGG-", "Simonyan and Zisserman, Very deep convolutional networks, 2015"),
    "vit_": ("ViT-", "Dosovitskiy et al., An image is worth 16x16 words, 2021"),
    "wide_resnet": ("Wide ResNet-", "Zagoruyko and Komodakis, Wide residual networks, 2016"),
}

_QUANTISED = "quantized_"


def title(model_id: str) -> str:
    """Return a model's name as people write it, such as ResNet-50."""
    if model_id.startswith(_QUANTISED):
        return f"{title(model_id.removeprefix(_QUANTISED))}, quantised"
    beginning = _beginning(model_id)
    if not beginning:
        return model_id
    name, rest = _PAPERS[beginning][0], model_id.removeprefix(beginning)
    if beginning == "vit_":
        return name + rest.upper().replace("_", "/")
    if beginning in ("resnext", "wide_resnet"):
        return name + rest.replace("_", "-")
    rest = re.sub(r"(?<=\d)_(?=\d)", ".", rest)  # 1_6gf is 1.6 gigaflops
    rest = re.sub(r"^(b\d|[a-z])$|[gm]f$", lambda found: found[0].upper(), rest)
    return name + rest.replace("_bn", " with batch normalisation").replace("_", " ")


def source(model_id: str) -> str:
    """Return the paper of an architecture, or torchvision if none is known."""
    beginning = _beginning(model_id.removeprefix(_QUANTISED))
    return _PAPERS[beginning][1] if beginning else "torchvision.models"


def _beginning(model_id: str) -> str:
    return max((each for each in _PAPERS if model_id.startswith(each)), key=len, default="")
