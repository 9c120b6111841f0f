"""The words of the Chinese report. River, station and numbers are invented."""

from making import hydrology as river
from making.hydrology import calendar, share
from making.script import Cell, Rows, Script

NAME = "青川河水情年报"
HEADER = "青川河水情年报（2023年度）"
FOOTER = "鹭湾水电站水情中心"

_QUARTERS = ("一季度", "二季度", "三季度", "四季度")


def report() -> Script:
    """The whole report in reading order."""
    script = Script()
    for part in (
        _front,
        _chapter_one,
        _chapter_two,
        _chapter_two_works,
        _chapter_three,
        _chapter_four,
    ):
        part(script)
    return script


def _front(s: Script) -> None:
    s.heading(0, HEADER)
    s.text(
        "编制单位：鹭湾水电站水情中心",
        "编制日期：2024年1月15日",
        "本年报是为演示而编写的虚构文件：河流、电站与全部数据均非真实，可按CC0自由使用。",
    )
    s.heading(1, "目录")
    s.points(
        "第一章 总则 …… 2",
        "第二章 水情分析 …… 4",
        "第三章 巡检要求 …… 8",
        "第四章 结论与建议 …… 10",
    )
    s.page()


def _chapter_one(s: Script) -> None:
    rain, normal = sum(river.RAIN_MM), sum(river.RAIN_NORMAL_MM)
    flood = sum(river.RAIN_MM[4:9])
    s.heading(1, "第一章 总则")
    s.heading(2, "1.1 流域概况")
    s.text(
        f"青川河发源于云屏山南麓，自北向南流经三县，干流全长{river.RIVER_KM} km，"
        f"流域面积{river.BASIN_KM2} km²，平均比降6.8‰。流域内森林覆盖率为61%。",
        "鹭湾水电站位于青川河中游，坝址以上即为本年报统计范围。电站装有3台单机容量32 MW的混流式"
        f"水轮发电机组，总装机容量{river.CAPACITY_MW} MW。本年报高程均以电站独立基准面为准①。",
        note="① 电站独立基准面由坝区水准网确定，与其他基准的换算见水准网成果表。",
    )
    s.heading(2, "1.2 降水")
    s.text(
        f"2023年流域平均降水量为{rain} mm，较多年平均值{normal} mm偏多"
        f"{share(rain - normal, normal)}%。各月降水量如图1.1所示，7月最多，"
        f"为{max(river.RAIN_MM)} mm；12月最少，为{min(river.RAIN_MM)} mm。"
        f"汛期（5月至9月）降水{flood} mm，"
        f"占全年的{share(flood, rain)}%。"
    )
    s.picture("chart", "rain", "图1.1 2023年流域月降水量与多年平均值")
    s.heading(2, "1.3 术语和定义")
    s.text("下列术语和定义适用于本年报。")
    for number, (term, meaning) in enumerate(_TERMS, 1):
        s.heading(3, f"1.3.{number} {term}")
        s.text(meaning)
    s.heading(2, "1.4 资料来源")
    s.text(
        "本年报采用流域内4个测站的整编资料，测站情况见表1.1。资料缺测率为0.3%，缺测值由相邻测站插补。"
    )
    s.table(
        "表1.1 水文测站一览",
        [
            ["测站", "类型", "距坝里程（km）", "观测项目", "设站年份"],
            ["云屏", "雨量站", "58.0", "降水", "1978"],
            ["枫溪", "水文站", "31.5", "水位、流量、含沙量", "1965"],
            ["鹭湾坝上", "水位站", "0.2", "坝前水位", "1996"],
            ["鹭湾坝下", "水文站", "1.4", "水位、流量", "1996"],
        ],
        (0.18, 0.16, 0.2, 0.3, 0.16),
        note="注：距坝里程为沿河道中心线量算的距离，坝下测站位于坝址下游。",
    )


_TERMS = (
    ("正常蓄水位", "水库在正常运用情况下，为满足兴利要求应蓄到的最高水位，本站为412.00 m。"),
    ("汛限水位", "汛期为预留防洪库容而允许兴利蓄水的上限水位，本站为408.50 m。"),
    ("死水位", "水库在正常运用情况下允许消落到的最低水位，本站为396.00 m。"),
    ("径流量", "一定时段内通过河流某一断面的总水量，本年报以亿m³计。"),
    ("径流系数", "同一时段内径流深与降水深之比，无量纲。"),
)


def _chapter_two(s: Script) -> None:
    level, flow = river.daily_level(), river.daily_flow()
    top, low, peak, least = (
        int(i) for i in (level.argmax(), level.argmin(), flow.argmax(), flow.argmin())
    )
    month = river.months()
    above = int(((level > river.FLOOD_LIMIT) & (month >= 5) & (month <= 9)).sum())
    s.page()
    s.heading(1, "第二章 水情分析")
    s.heading(2, "2.1 水位")
    s.text(
        f"2023年坝前水位过程如图2.1所示。年最高水位{level[top]:.2f} m，出现在{calendar(top)}，"
        f"低于正常蓄水位{river.NORMAL - level[top]:.2f} m；年最低水位{level[low]:.2f} m，出现在"
        f"{calendar(low)}，高于死水位{level[low] - river.DEAD:.2f} m，水位年变幅"
        f"{level[top] - level[low]:.2f} m。",
        f"汛期水位高于汛限水位的天数共{above}天，均在调度令允许的时段内，未发生超蓄。",
    )
    s.picture("chart", "level", "图2.1 2023年坝前水位过程线", "注：水位为每日8时观测值。")
    s.heading(2, "2.2 流量与径流")
    s.heading(3, "2.2.1 日平均流量")
    s.text(
        f"入库日平均流量过程如图2.2所示。全年共出现4场洪水，最大日平均流量{flow[peak]:,.0f} m³/s，"
        f"出现在{calendar(peak)}；最小日平均流量{flow[least]:.0f} m³/s，出现在{calendar(least)}。"
        f"年平均流量为{flow.mean():.1f} m³/s。"
    )
    s.picture("chart", "flow", "图2.2 2023年入库日平均流量过程线")
    s.heading(3, "2.2.2 月径流统计")
    rows = river.monthly_flow()
    flood = sum(m.runoff for m in rows[4:9])
    total = sum(m.runoff for m in rows)
    s.text(
        f"各月流量特征值与径流量见表2.1。全年径流量{total:.2f}亿m³，其中汛期径流量{flood:.2f}亿m³，"
        f"占全年的{share(flood, total)}%。7月径流量最大，为{rows[6].runoff:.2f}亿m³。"
    )
    s.table(
        "表2.1 2023年各月入库流量与径流量",
        _flow_rows(),
        (0.16, 0.12, 0.18, 0.18, 0.18, 0.18),
        head=2,
        note="注：流量单位为m³/s，最大、最小均为日平均值；径流量单位为亿m³。",
    )
    depth = total * 1e8 / (river.BASIN_KM2 * 1e6) * 1000
    s.heading(3, "2.2.3 径流量计算")
    s.text("年径流量由年平均流量按式（2.1）计算：")
    s.equation(
        r"W = \bar {Q} \times T \times 10 ^ { - 8 } \tag {2.1}",
        r"W=\bar{Q}\times T\times 10^{-8}\qquad(2.1)",
    )
    s.text(
        f"式中：W为年径流量，亿m³；Q̄为年平均流量，m³/s；T为全年秒数，取31 536 000 s。"
        f"折合径流深{depth:.0f} mm，年径流系数为{depth / sum(river.RAIN_MM):.2f}。"
    )


def _flow_rows() -> Rows:
    rows: Rows = [
        [("季度", 2, 1), ("月份", 2, 1), ("入库流量", 1, 3), ("径流量", 2, 1)],
        ["平均", "最大", "最小"],
    ]
    months = river.monthly_flow()
    for m in months:
        first: list[Cell] = [(_QUARTERS[m.number // 3], 3, 1)] if m.number % 3 == 1 else []
        numbers = [f"{m.mean:.1f}", f"{m.highest:.0f}", f"{m.lowest:.0f}", f"{m.runoff:.2f}"]
        rows.append([*first, f"{m.number}月", *numbers])
    flow = river.daily_flow()
    total = sum(m.runoff for m in months)
    whole = [f"{flow.mean():.1f}", f"{flow.max():.0f}", f"{flow.min():.0f}", f"{total:.2f}"]
    rows.append([("全年", 1, 2), *whole])
    return rows


def _chapter_two_works(s: Script) -> None:
    years = river.ENERGY
    mean = sum(years.values()) / len(years)
    hours = years[2023] * 1e8 / (river.CAPACITY_MW * 1000)
    s.heading(2, "2.3 发电量")
    s.text(
        f"2019—2023年的年上网发电量如图2.3所示。2023年上网发电量{years[2023]:.2f}亿kW·h，为五年最高，"
        f"较2022年增加{share(years[2023] - years[2022], years[2022])}%，"
        f"装机年利用小时数为{hours:.0f} h。"
        f"2022年遇枯水年，发电量最低，为{years[2022]:.2f}亿kW·h。五年平均为{mean:.2f}亿kW·h。"
    )
    s.picture("chart", "energy", "图2.3 2019—2023年年上网发电量")
    s.heading(2, "2.4 大坝运行状态")
    s.text(
        "挡水建筑物为混凝土重力坝，典型剖面如图2.4所示。坝顶高程417.00 m，最大坝高76 m，坝顶宽8 m，"
        "下游坝坡1∶0.82。设计洪水位414.20 m，校核洪水位415.60 m。",
        "2023年坝顶最大水平位移6.4 mm，小于限值15 mm；坝基最大渗流量7.8 L/s，小于警戒值12.5 L/s。"
        "大坝运行状态评定为正常。",
    )
    s.picture("image", "dam", "图2.4 大坝典型剖面示意图", "注：高程单位为m。")
    s.heading(2, "2.5 泥沙")
    sediment = 0.42
    load = sum(m.runoff for m in river.monthly_flow()) * sediment * 10
    s.text(
        f"2023年入库年平均含沙量{sediment:.2f} kg/m³，年输沙量{load:.0f}万t，"
        "其中九成以上集中在汛期的4场洪水。"
        "最大断面平均含沙量3.85 kg/m³，出现在7月18日，与图2.2中的最大洪峰同日。",
        "坝前淤积高程为366.20 m，低于发电进水口底板高程（384.00 m）17.80 m，"
        "暂不影响进水口正常运行。",
    )


def _chapter_three(s: Script) -> None:
    s.page()
    s.heading(1, "第三章 巡检要求")
    s.heading(2, "3.1 一般要求")
    s.text("大坝、泄洪闸门及附属设备的巡检应符合下列要求：")
    s.points(
        "a）每次巡检不应少于2人，并应携带照明、通信和测量器具；",
        "b）汛期（5月1日至9月30日）每日巡检1次，非汛期每周巡检1次；",
        "c）库水位超过汛限水位408.50 m时，应每4 h巡检1次；",
        "d）巡检记录应在24 h内录入系统，保存期不应少于10年。",
    )
    s.heading(2, "3.2 巡检项目与频次")
    s.text("巡检项目、内容和频次见表3.1。同一项目有两种频次时，应按较高的频次执行。")
    s.table(
        "表3.1 巡检项目与频次",
        [
            [("部位", 2, 1), ("项目", 2, 1), ("频次", 1, 2), ("合格标准", 2, 1)],
            ["汛期", "非汛期"],
            [("大坝", 3, 1), "坝体裂缝", "每日1次", "每周1次", "无新增裂缝"],
            ["坝基渗流量", "每日1次", "每周2次", "不大于12.5 L/s"],
            ["坝顶水平位移", "每周1次", "每月1次", "不大于15 mm"],
            [("泄洪闸门", 2, 1), "止水与漏水", "每日1次", "每周1次", "漏水量不大于0.1 L/(s·m)"],
            ["支铰与启闭机", "每周1次", "每月1次", "润滑良好，无异响"],
            ["备用电源", "柴油发电机试运行", ("每月1次，每次30 min", 1, 2), "带负荷运行正常"],
        ],
        (0.15, 0.23, 0.17, 0.17, 0.28),
        head=2,
    )
    s.heading(2, "3.3 泄洪闸门")
    s.text(
        "溢流坝段设3孔弧形闸门，孔口尺寸12.0 m×14.5 m（宽×高），堰顶高程398.00 m，"
        "闸门结构如图3.1所示。"
        "每孔由一台容量2×1 600 kN的液压启闭机操作，启闭速度0.5 m/min，全开需29 min。"
        "正常蓄水位下单孔泄流能力为980 m³/s。",
        "每年4月30日前应完成汛前启闭试验，每孔全行程启闭不应少于2次。",
    )
    s.picture("image", "gate", "图3.1 弧形闸门结构示意图")
    s.heading(2, "3.4 异常处置")
    s.text(
        "巡检发现异常时，应按图3.2的流程处置：30 min内报告值班负责人；影响大坝或闸门安全的，"
        "应启动应急预案并在2 h内上报主管部门，同时将巡检加密到每2 h一次；其他缺陷应在7日内消除。"
    )
    s.picture("image", "steps", "图3.2 巡检异常处置流程")


def _chapter_four(s: Script) -> None:
    s.page()
    s.heading(1, "第四章 结论与建议")
    s.heading(2, "4.1 结论")
    s.text(
        "2023年青川河为偏丰水年。水库调度平稳，最高水位未超过正常蓄水位，大坝变形和渗流均在限值以内，"
        "发电量为五年最高（见图2.3）。"
    )
    s.heading(2, "4.2 建议")
    s.points(
        "（1）2024年汛前更换2号闸门侧止水；",
        "（2）在云屏山增设2个雨量站，将洪水预见期由6 h延长到9 h；",
        "（3）校测坝前水位计，与人工水尺的差值应不大于2 cm。",
    )
    s.heading(2, "4.3 下年度计划")
    s.text(
        "2024年计划上网发电量为3.40亿kW·h，计划检修1号机组，检修工期45天，安排在1月至2月的枯水期内进行。",
        "汛前完成表3.1所列全部项目的一次全面检查，检查报告于2024年4月20日前提交。",
    )
