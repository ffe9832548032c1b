"""Answers read without protobuf are those that protobuf reads, whatever the bytes."""

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

from referee.answers import indexed_answers
from thousand.v1 import action_pb2
from thousand.v1 import play_pb2 as pb

NUMBERS = st.integers(0, 2**32 - 1) | st.sampled_from([0, 1, 127, 128, 2**28 - 1, 2**28])
NAMES = st.text(max_size=70) | st.text("abc-_0123", min_size=1, max_size=64)
INDEXED = st.builds(pb.Answer, match_id=NAMES, decision_id=NUMBERS, index=NUMBERS)
ANSWERS = INDEXED | st.builds(
    pb.Answer, match_id=NAMES, decision_id=NUMBERS, action=st.just(action_pb2.Action(kind=action_pb2.ACTION_KIND_PASS))
)
ITEMS = st.builds(pb.PlayRequestItem, answer=ANSWERS) | st.builds(
    pb.PlayRequestItem, ready=st.builds(pb.Ready, match_id=NAMES)
)


def request(*answers: pb.Answer) -> bytes:
    """A PlayRequest with these answers."""
    return pb.PlayRequest(items=[pb.PlayRequestItem(answer=answer) for answer in answers]).SerializeToString()


def agrees(data: bytes) -> bool:
    """Whether it was read without protobuf; then it must be what protobuf reads, to the last item."""
    found = indexed_answers(data)
    if found is None:
        return False
    items = pb.PlayRequest.FromString(data).items
    assert [item.WhichOneof("item") for item in items] == ["answer"] * len(found)
    assert [item.answer.WhichOneof("choice") for item in items] == ["index"] * len(found)
    assert [(item.answer.match_id, item.answer.decision_id, item.answer.index) for item in items] == found
    return True


@given(st.lists(ITEMS, max_size=4))
def test_messages_of_all_kinds(items: list[pb.PlayRequestItem]) -> None:
    agrees(pb.PlayRequest(items=items).SerializeToString())


@given(st.lists(INDEXED, min_size=1, max_size=3), st.data())
def test_bytes_changed_lost_or_added(answers: list[pb.Answer], data: st.DataObject) -> None:
    whole = bytearray(request(*answers))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(whole)))
        whole[at : at + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=2))
    agrees(bytes(whole))


@given(st.binary(max_size=40))
def test_any_bytes(data: bytes) -> None:
    agrees(data)


@pytest.mark.parametrize("decision_id", [0, 1, 300, 2**28 - 1])
@pytest.mark.parametrize("count", [1, 2, 30])
def test_answers_of_bots_need_no_protobuf(decision_id: int, count: int) -> None:
    answers = [pb.Answer(match_id=f"match-{n}", decision_id=decision_id, index=n) for n in range(count)]
    assert agrees(request(*answers))


@pytest.mark.parametrize(
    "answer",
    [
        pb.Answer(match_id="m", decision_id=1, action=action_pb2.Action(kind=action_pb2.ACTION_KIND_PASS)),
        pb.Answer(match_id="m", decision_id=1),
        pb.Answer(match_id="", decision_id=1, index=1),
        pb.Answer(match_id="матч", decision_id=1, index=1),
        pb.Answer(match_id="m" * 130, decision_id=1, index=1),
        pb.Answer(match_id="m", decision_id=2**28, index=1),
    ],
)
def test_what_is_out_of_the_ordinary_is_left_to_protobuf(answer: pb.Answer) -> None:
    assert indexed_answers(request(pb.Answer(match_id="m", index=1), answer)) is None


def test_cut_off_messages_are_left_to_protobuf() -> None:
    whole = request(pb.Answer(match_id="match-1", decision_id=300, index=200))
    for size in range(len(whole)):
        assert indexed_answers(whole[:size]) is None
        if size:
            with pytest.raises(DecodeError):
                pb.PlayRequest.FromString(whole[:size])
