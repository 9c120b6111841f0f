"""The seven pictures of the Chinese report."""

import numpy as np
from making import hydrology as river
from making.canvas import (
    AMBER,
    BLUE,
    CONCRETE,
    GREEN,
    GREY,
    INK,
    LIGHT,
    RED,
    ROCK,
    WATER,
    bare,
)
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Polygon, Rectangle

_MONTH_STARTS = [river.day(m, 1) for m in range(1, 13)]
_MONTHS = [f"{m}月" for m in range(1, 13)]


def rain(figure: Figure) -> None:
    axes = figure.add_subplot()
    place = np.arange(12)
    axes.bar(place, river.RAIN_MM, width=0.62, color=BLUE, label="2023年")
    axes.plot(place, river.RAIN_NORMAL_MM, "o-", color=AMBER, lw=1.8, ms=4.5, label="多年平均")
    for x, value in zip(place, river.RAIN_MM, strict=True):
        axes.text(x, value + 4, str(value), ha="center", fontsize=9.5)
    axes.set_xticks(place, _MONTHS)
    axes.set_ylabel("月降水量（mm）")
    axes.set_ylim(0, 260)
    axes.grid(axis="y")
    axes.legend(loc="upper right")


def _daily_axis(axes: Axes) -> None:
    axes.set_xticks(_MONTH_STARTS, _MONTHS)
    axes.set_xlim(0, river.DAYS - 1)
    axes.grid(True)
    axes.axvspan(river.day(5, 1), river.day(9, 30), color="#fbf3e2", zorder=0)


def _mark(axes: Axes, at: tuple[int, float], text: str, offset: tuple[int, int]) -> None:
    axes.plot(*at, "o", color=RED, ms=5.5, zorder=5)
    axes.annotate(
        text,
        at,
        xytext=offset,
        textcoords="offset points",
        color=RED,
        fontsize=10,
        arrowprops={"arrowstyle": "-", "color": RED, "lw": 0.8},
    )


def level(figure: Figure) -> None:
    axes = figure.add_subplot()
    series = river.daily_level()
    axes.plot(series, color=BLUE, lw=1.9)
    lines = (
        (river.NORMAL, "正常蓄水位", GREEN),
        (river.FLOOD_LIMIT, "汛限水位", AMBER),
        (river.DEAD, "死水位", GREY),
    )
    for height, name, colour in lines:
        axes.axhline(height, color=colour, ls="--", lw=1.3)
        axes.text(4, height + 0.22, f"{name} {height:.2f} m", color=colour, fontsize=10)
    top, low = int(series.argmax()), int(series.argmin())
    _mark(axes, (top, series[top]), f"最高 {series[top]:.2f} m（{river.calendar(top)}）", (22, -4))
    _mark(axes, (low, series[low]), f"最低 {series[low]:.2f} m（{river.calendar(low)}）", (26, -10))
    _daily_axis(axes)
    axes.text(river.day(7, 16), 395.1, "汛期（5月1日—9月30日）", ha="center", fontsize=9.5)
    axes.set_ylim(394.6, 413.6)
    axes.set_ylabel("坝前水位（m）")


def flow(figure: Figure) -> None:
    axes = figure.add_subplot()
    series = river.daily_flow()
    axes.fill_between(np.arange(river.DAYS), series, color=LIGHT, lw=0, alpha=0.8)
    axes.plot(series, color=BLUE, lw=1.5)
    mean = float(series.mean())
    axes.axhline(mean, color=GREEN, ls="--", lw=1.3)
    axes.text(4, mean + 24, f"年平均 {mean:.1f} m³/s", color=GREEN, fontsize=10)
    top = int(series.argmax())
    text = f"最大日平均流量 {series[top]:,.0f} m³/s（{river.calendar(top)}）"
    _mark(axes, (top, series[top]), text, (24, -2))
    _daily_axis(axes)
    axes.set_ylim(0, 1_600)
    axes.set_ylabel("日平均入库流量（m³/s）")


def energy(figure: Figure) -> None:
    axes = figure.add_subplot()
    years, values = list(river.ENERGY), list(river.ENERGY.values())
    colours = [RED if v == min(values) else GREEN if v == max(values) else BLUE for v in values]
    axes.bar(range(len(years)), values, width=0.55, color=colours)
    for x, value in enumerate(values):
        axes.text(x, value - 0.24, f"{value:.2f}", ha="center", fontsize=13, color="white")
    mean = sum(values) / len(values)
    axes.axhline(mean, color=GREY, ls="--", lw=1.3)
    axes.text(3, mean + 0.06, f"五年平均 {mean:.2f}", color=GREY, fontsize=11, ha="center")
    axes.set_xticks(range(len(years)), [f"{y}年" for y in years])
    axes.set_ylabel("年上网发电量（亿 kW·h）")
    axes.set_ylim(0, 4.3)
    axes.grid(axis="y")


def _note(axes: Axes, text: str, at: tuple[float, float], place: tuple[float, float]) -> None:
    axes.annotate(
        text,
        at,
        xytext=place,
        fontsize=10,
        va="center",
        ha="center",
        arrowprops={"arrowstyle": "-|>", "color": GREY, "lw": 0.9, "shrinkB": 0},
    )


def dam(figure: Figure) -> None:
    """A cross-section to scale: one drawing unit is one metre, 0 is 20 m under the foundation."""
    axes = bare(figure, 190, 112)
    base = 20.0

    def y(elevation: float) -> float:
        return base + elevation - river.FOUNDATION

    heel, crest = 78.0, 8.0
    toe = heel + 62
    axes.add_patch(Rectangle((0, 0), 190, base, color=ROCK, alpha=0.55))
    axes.add_patch(Rectangle((0, base), heel, y(river.NORMAL) - base, color=WATER))
    axes.add_patch(Rectangle((heel, base), 112, 11, color=WATER))
    outline = [
        (heel, base),
        (heel, y(river.CREST)),
        (heel + crest, y(river.CREST)),
        (heel + crest, y(river.CREST) - 10),
        (toe, base),
    ]
    axes.add_patch(Polygon(outline, facecolor=CONCRETE, edgecolor=INK, lw=1.6))
    axes.add_patch(Rectangle((heel + 5, base + 9), 3.2, 4.4, facecolor="white", edgecolor=INK))
    axes.plot([heel + 6.6] * 2, [base, base - 16], color=INK, lw=1.8)
    axes.plot([heel + 10.5] * 2, [base + 9, base - 10], color=BLUE, lw=1.3, ls="--")
    for height, name in ((river.NORMAL, "正常蓄水位"), (river.DEAD, "死水位")):
        axes.plot([0, heel], [y(height)] * 2, color=BLUE, lw=1.2, ls="-")
        axes.text(3, y(height) + 1.4, f"{name} {height:.2f} m", fontsize=10.5, color=BLUE)
    axes.text(158, base + 13, "下游水位 352.00 m", fontsize=10, color=BLUE, ha="center")
    axes.text(heel + 9, base + 34, "坝体\n混凝土", fontsize=11, ha="center", va="center")
    axes.text(14, 7, "弱风化基岩", fontsize=11)
    _note(axes, f"坝顶 {river.CREST:.2f} m（宽 8 m）", (heel + 6, y(river.CREST)), (132, 104))
    _note(axes, "下游坝坡 1∶0.82", (heel + 27.6, base + 42), (152, 80))
    _note(axes, "灌浆排水廊道", (heel + 8.2, base + 11.5), (150, 58))
    _note(axes, "帷幕灌浆", (heel + 6.6, base - 12), (50, base - 8))
    _note(axes, "排水孔", (heel + 10.5, base - 7), (112, base - 9))
    axes.annotate(
        "", (70, base), (70, y(river.CREST)), arrowprops={"arrowstyle": "<->", "color": INK}
    )
    axes.text(67.5, base + 30, "最大坝高 76 m", rotation=90, fontsize=10.5, ha="right", va="center")


def gate(figure: Figure) -> None:
    """A radial gate on its crest, closed; one unit is 0.1 m or so, not to scale."""
    axes = bare(figure, 190, 116)
    sill, pin = 34.0, np.array([122.0, 66.0])
    axes.add_patch(Rectangle((0, 0), 62, 98, color=WATER))
    weir_x = np.linspace(52, 190, 60)
    weir_y = sill - 34 * np.clip((weir_x - 78) / 130, 0, 1) ** 1.7
    body = [(52, 0), (52, 20), (58, 30), *zip(weir_x[3:], weir_y[3:], strict=True), (190, 0)]
    axes.add_patch(Polygon(body, facecolor=CONCRETE, edgecolor=INK, lw=1.4))
    radius = 64.0
    angles = np.radians(np.linspace(148, 210, 40))
    leaf = pin + radius * np.column_stack([np.cos(angles), np.sin(angles)])
    inner = pin + (radius - 4) * np.column_stack([np.cos(angles), np.sin(angles)])
    water = [(0, 98), *[tuple(p) for p in leaf if p[1] <= 98], *body[3:1:-1], (52, 20), (0, 20)]
    axes.add_patch(Polygon(water, color=WATER, lw=0))
    axes.add_patch(Polygon(np.vstack([leaf, inner[::-1]]), facecolor=BLUE, edgecolor=INK))
    for index in (6, 20, 34):
        axes.plot(*zip(inner[index], pin, strict=True), color=INK, lw=3.2)
    axes.plot(*zip((inner[6] + pin) / 2, (inner[20] + pin) / 2, strict=True), color=INK, lw=1.6)
    axes.plot(*zip((inner[34] + pin) / 2, (inner[20] + pin) / 2, strict=True), color=INK, lw=1.6)
    axes.add_patch(Polygon([(122, 58), (150, 50), (150, 82), (122, 74)], color=CONCRETE, ec=INK))
    axes.plot(*pin, "o", color="white", mec=INK, mew=2, ms=12, zorder=5)
    axes.add_patch(Rectangle((140, 104), 22, 8, facecolor="#8796a3", edgecolor=INK))
    axes.plot([146, inner[34][0] + 1], [104, inner[34][1] + 1], color="#8796a3", lw=5, zorder=1)
    axes.plot([0, leaf[0][0] - 2], [98, 98], color=BLUE, lw=1.4)
    axes.text(4, 101, f"正常蓄水位 {river.NORMAL:.2f} m", color=BLUE, fontsize=10.5)
    axes.text(110, 10, "溢流堰", fontsize=11)
    _note(axes, "闸门面板（弧面半径 16 m）", (leaf[22][0], leaf[22][1]), (28, 60))
    _note(axes, "堰顶 398.00 m", (66, sill), (28, 38))
    _note(axes, "支臂", tuple(inner[20] * 0.35 + pin * 0.65), (98, 40))
    _note(axes, "支铰 406.00 m", tuple(pin), (168, 66))
    _note(axes, "液压启闭机\n2×1 600 kN", (162, 108), (178, 92))


def steps(figure: Figure) -> None:
    """What happens after an inspector finds something wrong."""
    axes = bare(figure, 200, 92)

    def box(x: float, y: float, text: str, colour: str = "#eaf3fa") -> None:
        frame = FancyBboxPatch(
            (x - 20, y - 9), 40, 18, boxstyle="round,pad=0.6,rounding_size=3", fc=colour, ec=BLUE
        )
        axes.add_patch(frame)
        axes.text(x, y, text, ha="center", va="center", fontsize=10.5, linespacing=1.35)

    def arrow(start: tuple[float, float], end: tuple[float, float]) -> None:
        axes.add_patch(
            FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=13, color=GREY, lw=1.3)
        )

    box(24, 70, "发现异常\n现场拍照记录")
    box(76, 70, "30 min 内\n报值班负责人")
    decision = [(128, 87), (151, 70), (128, 53), (105, 70)]
    axes.add_patch(Polygon(decision, facecolor="#fdf1d8", edgecolor=AMBER))
    axes.text(128, 70, "影响大坝或\n闸门安全？", ha="center", va="center", fontsize=10)
    box(179, 70, "登记缺陷单\n7 日内消缺", "#e9f5ee")
    box(128, 22, "启动应急预案\n2 h 内上报主管部门", "#fbe6e4")
    box(76, 22, "加密巡检\n每 2 h 一次")
    box(24, 22, "处置完成\n复核并归档", "#e9f5ee")
    arrow((45, 70), (55, 70))
    arrow((97, 70), (105, 70))
    arrow((151, 70), (158, 70))
    axes.text(154, 74, "否", ha="center", fontsize=10, color=RED)
    arrow((128, 53), (128, 32))
    axes.text(132, 42, "是", fontsize=10, color=RED)
    arrow((107, 22), (97, 22))
    arrow((55, 22), (45, 22))
