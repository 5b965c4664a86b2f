"""A lesson's file that is right, and how to spoil it."""

LESSON = """\
# A title
about: A sentence.
net: lenet
minutes: 5
exercises: one, two

## First step
look: layer=conv1
lit: net(picture)
draw: kept[0] = a caption with = in it

A paragraph
on two lines.

```python
kept = [net(picture)]
print(len(kept))
```

? How many?
- 1
- 2 = two of them
  You counted
  twice.

! There is {len(kept)}.

And more.

## Second step
look: layer=conv2&view=hooks

Only words.
"""


def spoiled(old: str, new: str) -> str:
    """The lesson with one thing in it replaced."""
    assert LESSON.count(old) == 1, old
    return LESSON.replace(old, new)
