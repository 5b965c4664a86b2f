"""Long work is shared by all who ask for it, whoever leaves, and is begun again only if it failed."""

import asyncio

import pytest

from viz.errors import RequestError
from viz.ui.wire.folder.found_once import Findings, Tell


def test_what_is_found_is_there_for_the_next_one_when_its_visitor_has_left() -> None:
    """Half a minute of work is not begun again."""
    begun = 0

    async def work(_: Tell[int]) -> int:
        nonlocal begun
        begun += 1
        await asyncio.sleep(0.05)
        return begun

    async def leave_and_come_again() -> int:
        findings = Findings(4)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(findings.of("left", work, 0).soon(), 0.01)
        await asyncio.sleep(0.1)
        return await findings.of("left", work, 0).soon()

    assert asyncio.run(leave_and_come_again()) == 1


def test_it_is_found_once_for_all_who_ask_at_a_time() -> None:
    """And begun again where it failed."""
    begun: list[int] = []

    async def work(_: Tell[int]) -> int:
        begun.append(1)
        await asyncio.sleep(0.01)
        if len(begun) == 1:
            raise ValueError
        return len(begun)

    async def visitors() -> None:
        findings = Findings(4)
        both = (findings.of("a", work, 0).soon() for _ in range(2))
        found = await asyncio.gather(*both, return_exceptions=True)
        assert [type(each) for each in found] == [ValueError, ValueError]
        assert await asyncio.gather(*(findings.of("a", work, 0).soon() for _ in range(3))) == [2] * 3
        assert await findings.of("a", work, 0).soon() == 2

    asyncio.run(visitors())
    assert len(begun) == 2


def test_who_does_not_wait_is_told_what_is_found_so_far() -> None:
    """In the end everybody gets the whole."""

    async def work(tell: Tell[str]) -> str:
        tell("a half")
        await asyncio.sleep(0.05)
        return "the whole"

    async def visitor() -> list[str]:
        finding = Findings(4).of("a", work, "nothing")
        return [finding.so_far, await finding.soon(0.01), await finding.soon(), await finding.soon(0)]

    assert asyncio.run(visitor()) == ["nothing", "a half", "the whole", "the whole"]


@pytest.mark.parametrize("by", ["an end", "nobody here"])
def test_work_that_nobody_can_want_ends_after_its_present_piece(by: str) -> None:
    """The one who waits is told so, and nothing is kept."""
    begun, here = list[str](), [True]
    second, ended = asyncio.Event(), asyncio.Event()

    async def work(tell: Tell[str]) -> str:
        for piece in ("a", "b", "c"):
            begun.append(piece)
            if piece == "b":
                second.set()
                await ended.wait()
            tell(piece)
        return "the whole"

    async def visitor() -> None:
        findings = Findings(here=lambda: here[0])
        waiting = asyncio.create_task(findings.of("left", work, "").soon())
        await second.wait()
        if by == "an end":
            findings.end()
        here[0] = by == "an end"
        ended.set()
        with pytest.raises(RequestError, match="no such pictures here any more"):
            await waiting
        assert not findings._kept

    asyncio.run(visitor())
    assert begun == ["a", "b"]
