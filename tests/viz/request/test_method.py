"""Settings of methods that show what counts for a class: the values where nothing is said."""

from viz.request.method import Method


def test_windows_are_small_beside_the_picture_and_leave_no_gaps() -> None:
    """About seven side by side, each beginning before the last one ends; one pixel at least."""
    for size in ((224, 224), (32, 48), (8, 8), (3, 5)):
        window, stride = Method("occlusion").windows(size)
        assert 1 <= stride <= window <= max(1, min(size) // 7)


def test_a_window_that_is_said_is_taken_and_the_stride_follows_it() -> None:
    """Half of the window, unless a stride is said too."""
    assert Method("occlusion").windows((224, 224)) == (32, 16)
    assert Method("occlusion", window=20).windows((224, 224)) == (20, 10)
    assert Method("occlusion", window=20, stride=7).windows((224, 224)) == (20, 7)
    assert Method("occlusion", stride=7).windows((224, 224)) == (32, 7)
