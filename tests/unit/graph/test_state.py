from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage

from tuwen.graph.messages import history_messages, questions
from tuwen.graph.state import add_up, append_reports, merge_legs, merge_unique

legs = st.lists(
    st.fixed_dictionaries(
        {"leg": st.sampled_from(["dense", "keyword"]), "query": st.sampled_from(["a", "b"])}
    ),
    max_size=4,
)


@given(legs, legs)
def test_legs_merge_to_the_same_list_in_either_order(left, right):
    assert merge_legs(left, right) == merge_legs(right, left)


def test_a_notice_is_given_once():
    notice = {"code": "a", "text": "b"}
    assert merge_unique([notice], [dict(notice), {"code": "c", "text": "d"}]) == [
        notice,
        {"code": "c", "text": "d"},
    ]


def test_time_and_calls_add_up():
    assert add_up({"ms.a": 1, "model_calls": 1}, {"ms.a": 2}) == {"ms.a": 3, "model_calls": 1}


def test_reports_are_in_the_order_of_the_files_and_a_rerun_replaces():
    first = append_reports([{"index": 1, "state": "failed"}], [{"index": 0, "state": "ready"}])
    again = append_reports(first, [{"index": 1, "state": "ready"}])
    assert [item["state"] for item in again] == ["ready", "ready"]


def test_the_question_is_the_text_of_the_last_human_message_in_any_shape():
    blocks = [{"type": "text", "text": "图2.3？"}, {"type": "image", "data": "xxxx"}]
    messages = [HumanMessage("first"), AIMessage("answer"), HumanMessage(content=blocks)]
    assert questions(messages) == ("图2.3？", ["first"])
    assert history_messages(messages) == [("user", "first"), ("assistant", "answer")]


def test_no_human_message_is_an_empty_question():
    assert questions([]) == ("", [])
