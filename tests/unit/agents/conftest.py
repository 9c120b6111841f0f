import hashlib
import re
import unicodedata

import numpy as np
import pytest

from tuwen.agents.passages import Passage
from tuwen.core.chunk import Chunk
from tuwen.core.evidence import Explain, Hit, LegScore

_WORD = re.compile(r"[a-z]+|\d+(?:\.\d+)*|[\u4e00-\u9fff]+")
_STOP = {
    "有",
    "哪",
    "些",
    "的",
    "是",
    "了",
    "吗",
    "呢",
    "什么",
    "多少",
    "the",
    "a",
    "of",
    "is",
    "what",
    "how",
}
_KNOWN = re.findall(
    r"\S+",
    """额定流量 额定压力 额定功率 额定 流量 压力 功率 给水泵 水泵 密封 更换 周期 儿童 三轮车 术语
    多少
    什么 轴承 温度 上限 检查 机组 发电量 年 每 水位 库容 汛限 包括 步骤 启动 停机 营业 收入""",
)


class WordTokenizer:
    """Latin words and a tiny Chinese dictionary, longest match first."""

    def fold(self, text):
        return unicodedata.normalize("NFKC", text).lower()

    def tokens(self, text):
        words = []
        for run in _WORD.findall(self.fold(text)):
            words += [run] if run.isascii() else list(self._cut(run))
        return [word for word in words if word not in _STOP]

    def _cut(self, run):
        while run:
            word = max((w for w in _KNOWN if run.startswith(w)), key=len, default=run[0])
            yield word
            run = run[len(word) :]


class BagEmbedder:
    """Texts that share words and characters are close."""

    name = "bag"
    dim = 256

    def embed_passages(self, texts):
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"[a-z]+|\d+|[\u4e00-\u9fff]", text.lower()) or ["-"]:
                row[int(hashlib.sha256(word.encode()).hexdigest()[:8], 16) % self.dim] += 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    embed_queries = embed_passages


@pytest.fixture
def tokenizer():
    return WordTokenizer()


@pytest.fixture
def embedder():
    return BagEmbedder()


@pytest.fixture
def passage():
    def make(n, text, **fields):
        values = {"title": "运行手册", "section_path": "", "page_start": n, "chunk_ids": (f"c{n}",)}
        return Passage(n=n, text=text, **(values | fields))

    return make


@pytest.fixture
def make_chunk():
    def make(chunk_id, text, **fields):
        values = {
            "doc_id": "d",
            "edition": "e",
            "collection": "c",
            "doc_title": "运行手册",
            "chunk_type": "section_text",
            "embedding_text": text,
            "semantic_id": "s",
            "ordinal": 0,
        }
        return Chunk(chunk_id=chunk_id, text=text, **(values | fields))

    return make


@pytest.fixture
def make_hit():
    def make(chunk_id, score=1.0, *, dense=None, label=False):
        legs = {}
        if dense is not None:
            legs["dense"] = LegScore(rank=1, score=dense)
        if label:
            legs["label"] = LegScore(rank=1, score=1.0)
        return Hit(chunk_id=chunk_id, score=score, explain=Explain(legs=legs))

    return make
