"""A visit's own pictures: which it holds, what they are called, and that links open no other visit's."""

import gc
import io

import pytest
from PIL import Image
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from tests.browser.pictures import photo, png
from tests.viz.ui.conftest import Opened, told
from viz.errors import RequestError
from viz.pictures.own_donors import own_name, own_picture
from viz.pictures.photo import Photo, photograph
from viz.ui.visit.own_pictures import BYTES_HELD, LONGEST_NAME, PICTURES_HELD, OwnPictures
from viz.ui.visit.visit import GRACE_SECONDS, SubjectEntry, Visit, end_abandoned_visits, find_subject
from viz.ui.wire.arriving import possible_look


def flat(shade: int, size: tuple[int, int] = (4, 4)) -> Photo:
    """A picture of one colour."""
    return photograph(Image.new("RGB", size, (shade, 0, 0)))


def held(pictures: OwnPictures) -> list[tuple[str, int]]:
    """File names and numbers, the newest first."""
    return [(each.file, each.number) for _, each in pictures.newest_first()]


def upload(page: AppTest, seed: int, name: str) -> str:
    """Upload a photo; the name by which an edit knows it."""
    page.file_uploader(key="upload").upload(name, png(photo(seed)), "image/png").run()
    return own_name(photograph(photo(seed)))


def shown(page: AppTest) -> Visit:
    """The visit of this page, after a check that it shows no notice."""
    assert [*page.exception, *page.error, *page.warning] == []
    visit: Visit = page.session_state["visit"]
    return visit


def test_the_last_few_pictures_are_held() -> None:
    """The picture on screen and four before it; one that comes again keeps its first name and place."""
    pictures = OwnPictures()
    for shade in (*range(7), 3):
        pictures.hold(flat(shade), f"{shade}.png")
    assert held(pictures) == [(f"{shade}.png", 1) for shade in range(6, 6 - PICTURES_HELD, -1)]
    pictures.hold(flat(7), "7.png")
    assert ("3.png", 1) in held(pictures)
    assert ("2.png", 1) not in held(pictures)


def test_a_visit_takes_over_what_another_holds_and_keeps_it_when_that_ends() -> None:
    """As after a reload: the same pictures under the same names, in the same order."""
    before, after = OwnPictures(), OwnPictures()
    for shade in range(3):
        before.hold(flat(shade), "same.png")
    names, said = [name for name, _ in before.newest_first()], held(before)
    after.take_over(before)
    before.clear()
    assert ([name for name, _ in after.newest_first()], held(after)) == (names, said)
    assert own_picture(names[0]).fingerprint == flat(2).fingerprint


def test_a_picture_that_edits_need_outlives_newer_ones() -> None:
    """Without that use it would have been the first to go."""
    pictures = OwnPictures()
    needed = own_name(flat(0))
    for shade in range(9):
        pictures.hold(flat(shade), f"{shade}.png")
        pictures.use([needed, "cat", own_name(flat(99))])
    assert pictures.find(needed)
    assert len(held(pictures)) == PICTURES_HELD


def test_large_pictures_take_the_place_of_others_sooner() -> None:
    """Three of 120 MB are more than a visit may hold; the newest stays."""
    pictures = OwnPictures()
    for shade in range(3):
        pictures.hold(flat(shade, (8000, 5000)), str(shade))
    assert held(pictures) == [("2", 1), ("1", 1)]
    assert sum(each.bytes for _, each in pictures.newest_first()) <= BYTES_HELD


def test_a_file_name_is_shown_without_tricks_and_not_too_long() -> None:
    """It has no characters that reverse or hide text; pictures with the same name get numbers."""
    pictures = OwnPictures()
    for shade, name in enumerate(("a\u202eb\n.png", "ab.png", "x" * 200 + ".jpeg", "")):
        pictures.hold(flat(shade), name)
    names = held(pictures)[::-1]
    assert names[:2] == [("ab.png", 1), ("ab.png", 2)]
    assert len(names[2][0]) == LONGEST_NAME
    assert names[2][0].endswith(".jpeg")
    assert names[3] == ("", 1)


def test_pictures_die_with_the_visit() -> None:
    """They end when the visitor has left for good; two visitors with the same picture end separately."""
    visits = [Visit(name) for name in ("ann", "bob")]
    for visit in visits:
        visit.pictures.hold(flat(1), "a.png")
    name = own_name(flat(1))
    visits[0].end()
    gc.collect()
    assert own_picture(name).fingerprint == flat(1).fingerprint
    end_abandoned_visits(lambda _: False, 0.0)
    end_abandoned_visits(lambda _: False, GRACE_SECONDS + 1)
    gc.collect()
    with pytest.raises(RequestError, match="no longer here"):
        own_picture(name)


def test_an_edit_outlives_the_upload_that_replaces_its_picture(opened: Opened) -> None:
    """Values of the first upload while the third is on screen."""
    page = opened()
    first = upload(page, 1, "first.png")
    upload(page, 2, "second.png")
    upload(page, 3, "third.png")
    assert [name for name, _ in held(shown(page).pictures)] == ["third.png", "second.png", "first.png"]
    edit = f"conv1:swap:3:{first}"
    assert arrival(page, edit) == (edit, [])


def test_a_bad_upload_gives_its_name_to_no_picture(opened: Opened) -> None:
    """Neither the sample on screen nor the last upload gets its name; nor after an emptied uploader."""
    page = opened()
    page.file_uploader(key="upload").upload("bad.png", b"no picture", "image/png").run()
    page.file_uploader(key="upload").clear().run()
    assert held(shown(page).pictures) == []
    upload(page, 1, "good.png")
    page.file_uploader(key="upload").upload("bad.png", b"no picture", "image/png").run()
    page.file_uploader(key="upload").clear().run()
    assert held(shown(page).pictures) == [("good.png", 1)]


def test_an_edit_goes_with_its_picture_and_says_so_once(opened: Opened) -> None:
    """If the visit no longer holds it, for example after several large ones; other edits stay."""
    page = opened()
    name = upload(page, 1, "first.png")
    shown(page).pictures.clear()
    kept, (said,) = arrival(page, f"conv1:swap:3:{name};conv2:zero:2")
    assert kept == "conv2:zero:2"
    assert "several pictures ago" in said


@pytest.mark.parametrize(("language", "said"), [("en", "uploaded in another visit"), ("zh", "另一次访问")])
def test_a_link_to_another_visits_picture_is_one_sentence(opened: Opened, language: str, said: str) -> None:
    """Even while that visit holds it; the link's other edits are in force."""
    owner = opened()
    name = upload(owner, 4, "secret.png")
    asked = f"conv1:zero:1;conv1:swap:3:{name};conv2:zero:2"
    kept, (sentence,) = arrival(opened(), asked, language)
    assert said in sentence
    assert "conv1" in sentence
    assert "secret" not in sentence
    assert kept == "conv1:zero:1;conv2:zero:2"
    assert own_picture(name)


def arrival(page: AppTest, edit: str, language: str = "en") -> tuple[str, list[str]]:
    """Return the edits of a link that this page keeps, and the sentences about the rest."""
    subject = find_subject(told(page)["subject"])
    assert subject is not None
    look, notices = possible_look(f"edit={edit}", subject, language)
    return look.edit, [notice.text for notice in notices]


def test_a_script_of_such_an_edit_is_refused_in_both_languages(
    client: TestClient, visit: Visit, subject: SubjectEntry
) -> None:
    """One sentence; the view before the edits has its script."""
    other = flat(9, (40, 30))
    visit.pictures.hold(other, "a.png")
    edit = f"&edit=conv1:swap:3:{own_name(other)}"
    answer = client.get(f"/maps/{subject.token}/code.py?layer=conv1{edit}")
    assert answer.status_code == 422
    assert answer.json()["said"]["zh"]["error"].startswith("脚本只能从示例图片取值")
    assert "sample" in answer.json()["error"]
    assert client.get(f"/maps/{subject.token}/code.py?layer=conv1&show=before{edit}").status_code == 200
    assert Image.open(
        io.BytesIO(client.get(f"/maps/{subject.token}/layer.png?layer=conv1{edit}").content)
    ).size


def test_the_other_picture_of_a_comparison_is_held_as_well(opened: Opened) -> None:
    """Under its file's name; a sample on either side is not, nor is a file that cannot be read."""
    page = opened(view="compare")
    for name, content in (("bad.png", b"no picture"), ("other.png", png(photo(7)))):
        page.file_uploader(key="other_upload").upload(name, content, "image/png").run()
    assert held(shown(page).pictures) == [("other.png", 1)]
