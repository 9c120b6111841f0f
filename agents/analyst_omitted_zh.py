"""Chinese questions that leave out what they are about: "作者是谁？", "是哪一年成立的？".

Used only inside a thread: without one they are searched as they stand. What remains of the
question after question words, words without a referent of their own and nouns that need an owner
(作者, 价格, 主要特点) tells whether it names anything.
"""

import re

from .analyst_rules_zh import QUESTION_WORD, bare_text, own_words

LONGEST = 22
"""Characters; a longer question says what it is about."""
MOST_OWN = 1
"""Characters of its own that a question without a subject may have."""
_NAMED = re.compile(r"[A-Za-z\d]{3,}|[《“\"「]")


def _words(*lines: str) -> str:
    """Alternatives, the longer first, so that 主要 does not take the head of 主要特点."""
    words = dict.fromkeys(word for line in lines for word in line.split())
    return "|".join(sorted(words, key=len, reverse=True))


# Nouns of something else: whose author, what height, of what the parts.
_RELATIONAL = re.compile(
    _words(
        "主要 额定 平均 总 单位 最大 最小 最高 最低 最长 最短 最多 最少 最早 最晚 最新 最好",
        "作者 作家 主角 主人公 男主 女主 主演 导演 演员 歌手 主唱 配音 编剧 原唱 队员 队长 成员",
        "教练 结局 剧情 情节 内容 故事 主题 中心思想 背景 人物 角色 简介 歌词 歌名 专辑 续集",
        "评价 口碑 票房 收视率 播出 上映 价格 价钱 售价 报价 成本 费用 票价 收费 性能 配置 参数",
        "规格 型号 尺寸 大小 颜色 材质 材料 质量 重量 长度 宽度 高度 厚度 深度 直径 面积 体积",
        "容量 压力 流量 功率 转速 扬程 电压 电流 效率 速度 距离 身高 体重 年龄 年纪 生日 星座",
        "血型 学历 籍贯 老家 国籍 职业 本名 真名 外号 代表作 作品 老婆 妻子 老公 丈夫 女朋友",
        "男朋友 女友 男友 孩子 儿子 女儿 父亲 母亲 爸爸 妈妈 家人 家乡 关系 历史 起源 由来 来历",
        "来源 意义 含义 定义 用途 作用 功能 功效 用法 做法 吃法 玩法 写法 读法 方法 步骤 流程",
        "过程 原理 特点 特征 优点 缺点 优势 劣势 区别 差别 不同 好处 坏处 副作用 症状 病因 影响",
        "后果 结果 结论 分类 种类 类型 品种 组成 结构 成分 配料 原料 口味 味道 地址 位置 地点",
        "地方 电话 官网 网址 邮箱 国家 省份 城市 首都 人口 气候 天气 气温 温度 湿度 景点 特产",
        "美食 交通 时间 日期 年份 年代 数量 人数 比例 频率 周期 寿命 排名 名次 比分 成绩 进度",
        "版本 更新 后来 之后 以后 最后 其余 剩下 例外 依据 标准 要求 条件 范围 期限 有效期",
        "责任人 负责人 处罚 罚款",
    )
    + r"|第[一二三四五六七八九十\d]+[集季部章节步名个次]"
)
_TIME = re.compile(
    r"[今明昨后前]天|[今明去前后]年|大[前后]天|(?:这|那|下|上)个?(?:周|星期|月)|每[天年月周次]"
    r"|一[天年月周次下点些定直共般起]|[两三四五六七八九十几\d]+[天年月周次个点句首部本张件]|"
    + _words(
        "现在 目前 当前 最近 近期 如今 以前 之前 从前 当时 将来 未来 早上 上午 中午 下午 晚上",
        "今晚 明晚 凌晨 周末",
    )
)
_LIGHT = re.compile(
    _words(
        "其实 确实 真的 的确 好像 貌似 似乎 大概 应该 可能 也许 估计 果然 居然 竟然 原来 到底",
        "究竟 难道 反正 毕竟 已经 曾经 刚刚 刚才 马上 赶紧 经常 总是 从来 还是 只是 就是 或者",
        "而且 因为 所以 如果 假设 虽然 但是 不过 可是 然后 非常 特别 相当 有点 有些 这么 那么",
        "这样 那样 怎样 挺 蛮 超级 完全 根本 一样 别的 其他 其它 自己 人家 大家 咱们 我们 你们",
        "搜索 查询 查找 查查 查 搜 找 推荐 介绍 解释 说明 讲讲 讲 聊聊 聊 谈谈 分享 提供 告诉",
        "回答 描述 展开 补充 列举 列出 总结 概括 翻译 背诵 背 念 读 唱 写 画 教 学 学习 发 送",
        "给 拿 带 吃 喝 玩 看 听 买 卖 用 开 关 装 放 试 换 改 加 减 等 喜欢 爱 讨厌 认识 知道",
        "了解 明白 理解 懂 记得 忘记 相信 同意 支持 反对 希望 想要 打算 准备 开始 结束 继续",
        "发生 出现 存在 属于 算 像 成为 变成 叫做 称为 适合 值得 有趣 有意思 好笑 重要 严重",
        "危险 安全 正常 常见 流行 热门 经典 伟大 优秀 聪明 可怜 可惜 可怕 恶心 简单 容易 复杂",
        "困难 麻烦 方便 清楚 详细 具体 准确 免费 贵 便宜 新 旧 快 慢 强 弱 冷 热 香 甜 辣 苦 老",
        "年轻 胖 瘦 里面 外面 上面 下面 前面 后面 中间 旁边 其中 那里 这里 哪里 哪儿 那儿 这儿",
        "那边 这边 东西 事情 事 样子 方面 部分 情况 问题 人 话 歌 书 电影 图 图片 照片 感觉",
        "多少度 是不是 能不能 会不会 有没有 饿 疼 死 丑 棒 帅 酷 萌",
    )
    + r"|[这那][一首部本个些款种张位件项条份]+"
    r"|[谁哪啥几呗啦呐哟噢哎嗯咯哒嘿呵哈诶欸把被让由从向跟和与对于到以比按为之其此并且而但或若则将才再又刚正在么没度]"
)
# The subject is missing: what is, was like, tells of or belongs to something.
_PREDICATE = re.compile(
    r"^(?:好像|貌似|似乎|应该|可能|大概|也|都|就|还|又|却|才|曾经|一直|已经|其实|果然|居然|竟然|原来)*"
    r"(?:是(?!否|不是|人都|的|啊|吗|呢|呀|吧|啦)|属于(?!什么)|位于|[讲写演唱画]的(?:是|都是|就是)?"
    r"|里面|其中|这么|那么多|那样|这样|和[^，,]{1,6}(?:什么|啥)关系|[听看吃玩读用去见买学]过)"
)
_ASKED_FIRST = re.compile(
    r"^(?:在|从|到|由|被|是|有|又|还|都|会|能|要|可以|应该|需要)?(?:为什么|为啥|为何|怎么|怎样|如何"
    r"|什么时候|何时|哪一?[年天里儿个家]|几[点月号年]|多[久大少长高重]|谁|什么|啥)"
)
# "是哪一年建成的？", "由谁负责？"
_CLEFT = re.compile(
    r"^(?:是(?:由|在|从|为)?|由|被)(?:哪|谁|什么时候|何时|几|多[久大少长高重]|怎么|如何|为什么)"
)
_ASKS = re.compile(r"[吗么嘛呢不没][？?\s]*$|[？?]")
_REMARK = re.compile(
    r"[了过着很都也不没我你您挺太真最超吧啊呀哦呢吗嘛呗哈]|感觉|觉得|有|会|要|帮"
    r"|^(?:是|这|那|一[个只本部首位种款名])|的$"
)


def left_out(question: str, topic: str) -> str:
    """Which cue says that the question leaves out what it is about; empty: it names it.

    What says again what the topic said is a question beside it, not one about it.
    """
    text = bare_text(question)
    if not text or len(text) > LONGEST or _NAMED.search(text):
        return ""
    if _repeats(text, topic):
        return ""
    asks = QUESTION_WORD.search(text) or _ASKS.search(question)
    rest = QUESTION_WORD.sub("", text)
    rest = _own(_RELATIONAL.sub("", rest) if asks else rest)
    if not rest:
        return "owner_omitted"
    if _CLEFT.match(text) or (
        (_PREDICATE.match(text) or _ASKED_FIRST.match(text)) and len(rest) <= MOST_OWN
    ):
        return "subject_omitted"
    return ""


def may_lean(question: str, topic: str) -> bool:
    """Whether the message may lean on the topic though it names something: a remark in passing
    ("是个画家", "配图错了") or few words without a subject; never a noun phrase to search for."""
    text = bare_text(question)
    if not text or len(text) > LONGEST or _NAMED.search(text) or _repeats(text, topic):
        return False
    if not QUESTION_WORD.search(text):
        return bool(_REMARK.search(text))
    open_start = _PREDICATE.match(text) or _ASKED_FIRST.match(text)
    return bool(open_start) and len(_own(QUESTION_WORD.sub("", text))) <= MOST_OWN + 2


def _repeats(text: str, topic: str) -> bool:
    said = own_words(_LIGHT.sub(" ", _TIME.sub(" ", QUESTION_WORD.sub(" ", text))))
    return any(said[i : i + 2] in topic for i in range(len(said) - 1))


def _own(text: str) -> str:
    return own_words(_LIGHT.sub("", _TIME.sub("", text)))
