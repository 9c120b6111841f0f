"""Documents in traditional Chinese answer like others, whichever way the question is written."""

import pytest

from tests.graph.talking import Talk, take_in, written

pytestmark = pytest.mark.integration
SHOP = """# 港灣書店價目

## 文具

| 品項 | 單價（元） | 庫存數量 |
|---|---|---|
| 鋼筆 | 320 | 14 |
| 墨水 | 95 | 40 |

聯絡電話：02-2711-3355。
"""


@pytest.fixture(scope="module")
def talk_of_shop(store, tmp_path_factory):
    paths = written(tmp_path_factory.mktemp("shop") / "files", {"書店.md": SHOP})
    take_in(store, *paths, collection="shop")
    return lambda: Talk(store, collection="shop")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("鋼筆的單價是多少？", "320"),
        ("墨水的单价是多少？", "95"),
        ("聯絡電話是多少？", "02-2711-3355"),
    ],
)
async def test_what_is_asked_for_is_found_in_either_writing(talk_of_shop, question, said):
    turn = await talk_of_shop().say(question)
    assert not turn.finish["abstained"]
    assert said in turn.answer


async def test_what_the_table_lacks_is_still_missing(talk_of_shop):
    assert (await talk_of_shop().say("橡皮擦的單價是多少？")).finish["abstained"]
