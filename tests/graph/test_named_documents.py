"""A question that names its document in full is asked inside it, as whole runs without a model."""

import pytest

from tests.graph.talking import Talk, take_in, written

pytestmark = pytest.mark.integration
PROSPECTUS = """# {name}招股说明书

## 第一节 概览

{name}是一家从事{trade}的企业，注册地为{place}。{name}的产品销往全国。

## 第二节 股东

### （一）实际控制人

本公司实际控制人为{owner}，持有本公司 {share}% 的股份。

### （二）其他股东

除实际控制人外，其他股东均为财务投资者。

## 第三节 业务

公司在{edge}等方面形成了较强的竞争优势。主要客户为各地水务集团。

| 项目 | 2020年 | 2021年 |
|---|---|---|
| 长期借款 | {long} | {long} |
| 短期借款 | {short} | {short} |
"""
COMPANIES = {
    "a.md": {
        "name": "湖州白石泵业股份有限公司", "trade": "水泵制造", "place": "湖州", "owner": "陈立山",
        "share": "41.20", "edge": "铸造工艺、售后服务", "long": "900", "short": "3200",
    },
    "b.md": {
        "name": "温州恒通阀门股份有限公司", "trade": "阀门制造", "place": "温州", "owner": "周文远",
        "share": "37.55", "edge": "密封技术、渠道建设", "long": "150", "short": "610",
    },
    "c.md": {
        "name": "保定长河仪表股份有限公司", "trade": "仪表制造", "place": "保定", "owner": "何静宜",
        "share": "52.10", "edge": "传感器研发、成本控制", "long": "77", "short": "88",
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def talk_of_companies(store, tmp_path_factory):
    texts = {name: PROSPECTUS.format(**values) for name, values in COMPANIES.items()}
    paths = written(tmp_path_factory.mktemp("companies") / "files", texts)
    take_in(store, *paths, collection="companies")
    return lambda: Talk(store, collection="companies")


@pytest.mark.parametrize(
    ("question", "said", "not_said"),
    [
        ("温州恒通阀门股份有限公司的实际控制人是谁？", "周文远", ("陈立山", "何静宜")),
        ("恒通阀门在哪些方面形成了较强的竞争优势？", "密封技术", ("铸造工艺", "传感器")),
        ("根据保定长河仪表股份有限公司招股说明书，实际控制人持股多少？", "52.10", ("41.20",)),
        ("白石泵业2021年的长期借款是多少？", "900", ("3200", "150")),
    ],
)
async def test_the_named_company_s_own_document_answers(
    talk_of_companies, question, said, not_said
):
    turn = await talk_of_companies().say(question)
    assert not turn.finish["abstained"]
    assert said in turn.answer
    assert not any(other in turn.answer for other in not_said)
    assert len({source["doc_id"] for source in turn.finish["sources"]}) == 1


REPORT = """# 公司简介

| 简称 |  | 远山传感 | 编号 | 60021 |
|---|---|---|---|---|
| 全称 | 广东远山传感科技股份有限公司 |  |  |  |
| 公司国际互联网网址 |  | yuanshan.example |  |  |
| 电子信箱 |  | office@yuanshan.example |  |  |

# 财务数据

| 项目 | {year}年 | {last}年 | 同比增减 |
|---|---|---|---|
| 营业收入（元） | {sales} | 31,000 | {growth} |
| 研发费用（元） | {cost} | 1,100 | 2.5% |
"""
FULL = "2020-04-02__广东远山传感科技股份有限公司__60021__远山传感__{}年__年度报告.md"


@pytest.fixture(scope="module")
def talk_of_reports(store, tmp_path_factory):
    texts = {
        FULL.format(2018): REPORT.format(
            year=2018, last=2017, sales="31,000", growth="4.1%", cost="1,100"
        ),
        FULL.format(2019): REPORT.format(
            year=2019, last=2018, sales="32,240", growth="4.0%", cost="1,240"
        ),
    }
    paths = written(tmp_path_factory.mktemp("reports") / "files", texts)
    take_in(store, *paths, collection="reports")
    return lambda: Talk(store, collection="reports")


@pytest.mark.parametrize(
    ("question", "said", "not_said"),
    [
        ("请告诉我远山传感2019年的电子信箱的具体情况", "office@", ("没有找到",)),
        ("在2019年的时候，远山传感营业收入增长率为多少？", "4.0%", ("4.1%", "32,240")),
        ("根据2019年的年报数据，远山传感研发费用是多少？", "1,240", ("2.5%",)),
        ("远山传感2018年的公司网址", "yuanshan.example", ("31,000",)),
    ],
)
async def test_a_filing_is_named_by_the_short_name_and_the_year(
    talk_of_reports, question, said, not_said
):
    turn = await talk_of_reports().say(question)
    assert not turn.finish["abstained"]
    assert said in turn.answer
    assert not any(other in turn.answer for other in not_said)


@pytest.mark.parametrize(
    "question", ["上海机电2019年的研发费用是多少？", "远山传感2012年的营业收入是多少？"]
)
async def test_of_another_firm_or_year_nothing_is_told(talk_of_reports, question):
    assert (await talk_of_reports().say(question)).finish["abstained"]


async def test_what_the_named_document_lacks_is_not_taken_from_another(talk_of_companies):
    turn = await talk_of_companies().say("白石泵业的董事会秘书是谁？")
    assert turn.finish["abstained"]
