"""An exercise's file, whole and with a part of it changed."""

FILE = """# Keep the maps
about: Hooks
net: lenet
picture: cat
same: maps
hooks: 0

Keep what `net.conv1`
returns.

A second paragraph.

## Start
```python
maps = None
```

## Hint
One.

## Hint
Two.

## Hint
Three.

## Mistake
This is the picture.
```python
maps = picture
```

## Solution
Like this.
```python
kept = []

def hook(layer, inputs, output):
    kept.append(output)

with net.conv1.register_forward_hook(hook):
    net(picture)
maps = kept[0]
```
"""


def changed(old: str, new: str) -> str:
    """Return the file with one part replaced, which it must have."""
    assert old in FILE
    return FILE.replace(old, new, 1)
