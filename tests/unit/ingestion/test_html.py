"""Web pages: what stands around the text is accounted for and not indexed."""

import pytest

from tests.unit.ingestion.builders import built_of

PAGE = """<!doctype html><html><head><title>泵</title><script>var secret = "js";</script></head>
<body><header>站点名称</header><nav><a href="/">首页</a> <a href="/about">关于本站</a></nav>
<main><article><header><h1>泵手册</h1><p>本手册由检修班编写。</p></header>
<p>额定流量为 25 m³/h。</p><footer>修订于 2023 年。</footer></article></main>
<div role="contentinfo">版权所有，不得转载。</div></body></html>"""


@pytest.fixture
def built(tmp_path):
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return built_of(path)


def test_navigation_foot_and_scripts_are_dropped_with_their_reason(built):
    text = "\n".join(chunk.text for chunk in built.edition.chunks)
    for word in ("secret", "站点名称", "关于本站", "版权所有"):
        assert word not in text
    expected = {"script": 1, "page header": 1, "navigation": 1, "page footer": 1}
    assert built.account.dropped == expected
    assert built.account.balanced


def test_head_and_foot_of_an_article_are_its_text(built):
    text = "\n".join(chunk.text for chunk in built.edition.chunks)
    assert "本手册由检修班编写" in text
    assert "修订于 2023 年" in text
    assert "额定流量为 25" in text


def test_a_page_of_navigation_alone_is_kept(tmp_path):
    path = tmp_path / "index.html"
    path.write_text(
        "<html><body><nav><p>泵的额定流量为 25 m³/h。</p></nav></body></html>", encoding="utf-8"
    )
    assert "25" in built_of(path).edition.chunks[0].text
