"""The families of the catalogue: the nets that come along, torchvision's, timm's."""
