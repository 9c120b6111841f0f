"""A small Chinese and English word list, so that a question and a foreign text share something.

It holds words that name what is asked of any document: quantities, properties, parts, times,
roles. Names and rare terms are left to the encoder.
"""

import re
import unicodedata
from typing import NamedTuple

from ..core.text import has_cjk

_PAIRS = """
额定 rated|rating|nominal; 功率 power|output|capacity|rated at; 效率 efficien
流量 flow|discharge; 水位 level|stage; 高度 height|high|tall; 高程 elevation|level
长度 length|long; 宽度 width|wide; 深度 depth|deep; 厚度 thick; 直径 diameter; 重量 weigh
质量 mass|quality; 面积 area; 体积 volume; 容量 capacity; 速度 speed|velocity; 转速 speed|rpm
温度 temperature; 压力 pressure; 电压 voltage|volt; 电流 current|amp; 频率 frequency
能量 energy; 电量 energy|electricity; 河流 river|stream; 河 river; 发电机 generator; 管道 pipe
阀门 valve; 泵 pump; 轴承 bearing; 电机 motor; 变压器 transformer; 电池 batter
设备 equipment|device|machine; 系统 system; 结构 structure; 材料 material; 降雨 rain
示例 example; 例子 example; 手册 manual|handbook; 电站 plant|station
千瓦 kW; 最大 maximum|largest|max|highest; 最小 minimum|smallest|min|lowest
最高 highest|maximum|peak|top; 最低 lowest|minimum; 平均 average|mean; 总 total; 设计 design
允许 allow|permit|permissible; 限值 limit; 标准 standard|criteri; 要求 require|shall|must
检查 inspect|check; 维护 maint; 更换 replac; 试验 test; 安装 install; 运行 operat|run
启动 start; 停机 shut|stop; 关闭 clos|shut; 打开 open; 清洗 clean; 故障 fault|fail
原因 cause|reason|because; 步骤 step; 方法 method; 公式 formula|equation; 定义 defin
范围 range|scope; 条件 condition; 安全 safe; 人员 person|staff|personnel
人数 people|persons|number; 作者 author|written by; 日期 date; 年份 year; 月份 month; 每月 month
每周 week; 每天 day|daily; 每年 year|annual; 时间 time|when|date; 价格 price|cost; 成本 cost
费用 cost|fee; 收入 revenue|income; 利润 profit; 增长 growth|grew|increase
减少 decreas|reduc|fell; 公司 company|firm; 员工 employee|staff; 股东 shareholder; 董事 director
市场 market; 客户 customer|client; 产品 product; 销售 sale|sold; 合同 contract; 保险 insur
学生 student; 学校 school; 大学 university; 国家 country|nation; 城市 city; 人口 population
首都 capital; 总统 president; 国王 king; 战争 war; 世纪 century; 语言 language; 宗教 religio
电影 film|movie; 音乐 music; 歌曲 song; 专辑 album; 球队 team; 冠军 champion|won|winner
比赛 game|match; 赛季 season; 位置 locat|position|site; 地点 place|location|venue; 地址 address
下游 downstream; 上游 upstream; 记录 record|log; 报告 report; 颜色 colo; 型号 model|type
类型 type|kind; 数量 number|quantity; 比例 ratio|share|proportion|percent
系数 coefficient|factor; 误差 error; 精度 accura|precision; 寿命 life
周期 period|interval|cycle; 间隔 interval; 频次 interval|frequency|often; 模型 model; 数据 data
算法 algorithm; 实验 experiment; 结果 result; 疾病 disease; 患者 patient; 治疗 treat
剂量 dose|dosage; 药物 drug|medicine; 细胞 cell; 蛋白 protein; 能源 energy; 环境 environment
"""


class _Entry(NamedTuple):
    """A Chinese word, its first English one, and the pattern of all of them."""

    zh: str
    en: str
    english: re.Pattern[str]


_PARTED = (pair.strip().partition(" ") for pair in re.split(r"[;\n]", _PAIRS))
# Longer words first: 发电机 is not 电机.
_ENTRIES = tuple(
    _Entry(zh, en.partition("|")[0], re.compile(rf"\b(?:{en})", re.I))
    for zh, _, en in sorted(_PARTED, key=lambda pair: (-len(pair[0]), pair[0]))
    if zh
)


def _listed(question: str) -> list[list[_Entry]]:
    """The entries of each listed word of the question, in order."""
    if not has_cjk(question):
        words = re.findall(r"[A-Za-z]{3,}", question)
        found = ([entry for entry in _ENTRIES if entry.english.match(word)] for word in words)
        return [entries for entries in found if entries]
    placed = []
    for entry in _ENTRIES:
        if entry.zh in question:
            placed.append((question.index(entry.zh), entry))
            question = question.replace(entry.zh, "\0" * len(entry.zh))
    placed.sort(key=lambda pair: pair[0])
    return [[entry] for _, entry in placed]


def across(question: str) -> str:
    """The question's listed words in the other language, as a query; empty: none is listed."""
    asked = unicodedata.normalize("NFKC", question)
    native = has_cjk(asked)
    found = (entries[0].en if native else entries[0].zh for entries in _listed(asked))
    return " ".join(dict.fromkeys(found))


def bridged(question: str, text: str) -> float:
    """Share of the question's listed words that the text says in the other language, 0..1.

    One word more counts as asked than there are, so that a single common word proves little.
    """
    asked, said = (unicodedata.normalize("NFKC", part) for part in (question, text))
    native, wanted = has_cjk(asked), _listed(asked)
    found = sum(
        any(entry.english.search(said) if native else entry.zh in said for entry in entries)
        for entries in wanted
    )
    return found / (len(wanted) + 1)
