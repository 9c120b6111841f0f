"""The three charts of the English handbook and the picture of the notes."""

import numpy as np
from making.canvas import AMBER, BLUE, CONCRETE, EARTH, GREEN, GREY, INK, LIGHT, RED, WATER, bare
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Polygon, Rectangle

DURATION = ((0, 31.0), (5, 18.6), (10, 13.8), (20, 9.2), (30, 6.9), (40, 5.4), (50, 4.4))
DURATION += ((60, 3.6), (70, 2.9), (80, 2.3), (90, 1.8), (95, 1.5), (100, 1.1))
"""Exceedance in percent and discharge in cubic metres a second of the example stream."""

ENERGY = (0.62, 0.58, 0.81, 1.04, 1.27, 1.12, 0.70, 0.46, 0.41, 0.69, 0.88, 0.78)
"""Monthly energy of the example plant, GWh, January to December."""


def duration(figure: Figure) -> None:
    from scipy.interpolate import PchipInterpolator

    axes = figure.add_subplot()
    share, flow = zip(*DURATION, strict=True)
    x = np.linspace(0, 100, 300)
    curve = np.exp(PchipInterpolator(share, np.log(flow))(x))
    axes.fill_between(x, curve, color=LIGHT, alpha=0.55, lw=0)
    axes.plot(x, curve, color=BLUE, lw=2)
    for percent, name, colour in ((30, "design flow Q30", GREEN), (95, "residual flow Q95", RED)):
        value = dict(DURATION)[percent]
        axes.plot([percent, percent, 0], [0, value, value], color=colour, ls="--", lw=1.2)
        axes.plot(percent, value, "o", color=colour, ms=6)
        axes.annotate(
            f"{name} = {value:.1f} m³/s",
            (percent, value),
            xytext=(10, 16) if percent < 50 else (-150, 84),
            textcoords="offset points",
            color=colour,
            fontsize=11,
            arrowprops={"arrowstyle": "-", "color": colour, "lw": 0.8},
        )
    axes.set_xlabel("time exceeded (%)")
    axes.set_ylabel("discharge (m³/s)")
    axes.set_xlim(0, 100)
    axes.set_ylim(0, 32)
    axes.grid(True)


def turbines(figure: Figure) -> None:
    axes = figure.add_subplot()
    fields = (
        ("Kaplan", [(1.5, 2), (60, 2), (60, 14), (28, 30), (3, 30), (1.5, 12)], BLUE, (9, 6.2)),
        ("Francis", [(0.6, 20), (22, 20), (22, 90), (6, 300), (0.6, 300)], GREEN, (5.2, 150)),
        ("Pelton", [(0.05, 80), (2.2, 80), (2.2, 420), (1, 800), (0.05, 800)], RED, (0.3, 380)),
        ("Crossflow", [(0.08, 5), (5, 5), (5, 40), (1.2, 120), (0.08, 120)], AMBER, (0.24, 20)),
    )
    for name, corners, colour, at in fields:
        axes.add_patch(Polygon(corners, facecolor=colour, alpha=0.22, lw=0))
        axes.add_patch(Polygon(corners, fill=False, edgecolor=colour, lw=1.8))
        axes.text(*at, name, color=colour, fontsize=14, ha="center", va="center")
    axes.plot(6.9, 42, "*", color=INK, ms=15)
    axes.annotate(
        "example site\n6.9 m³/s, 42 m",
        (6.9, 42),
        xytext=(80, 10),
        textcoords="offset points",
        fontsize=10,
        arrowprops={"arrowstyle": "-", "color": INK, "lw": 0.8},
    )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(0.04, 80)
    axes.set_ylim(1.6, 1000)
    axes.set_xticks([0.1, 1, 10], ["0.1", "1", "10"])
    axes.set_yticks([2, 10, 100, 1000], ["2", "10", "100", "1000"])
    axes.set_xlabel("discharge (m³/s)")
    axes.set_ylabel("net head (m)")
    axes.grid(True)


def energy(figure: Figure) -> None:
    axes = figure.add_subplot()
    names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    colours = [GREEN if v == max(ENERGY) else RED if v == min(ENERGY) else BLUE for v in ENERGY]
    axes.bar(names, ENERGY, width=0.62, color=colours)
    for x, value in enumerate(ENERGY):
        axes.text(x, value + 0.02, f"{value:.2f}", ha="center", fontsize=10)
    mean = sum(ENERGY) / 12
    axes.axhline(mean, color=GREY, ls="--", lw=1.2)
    axes.text(7.6, mean + 0.03, f"monthly mean {mean:.2f}", color=GREY, fontsize=10.5, ha="center")
    axes.set_ylabel("energy (GWh)")
    axes.set_ylim(0, 1.45)
    axes.grid(axis="y")


def plant(figure: Figure) -> None:
    """A run-of-river plant: weir, penstock, powerhouse."""
    axes = bare(figure, 190, 86)
    ground = [(0, 0), (0, 52), (64, 52), (134, 20), (154, 20), (157, 11), (190, 11), (190, 0)]
    axes.add_patch(Rectangle((0, 52), 34, 14, color=WATER))
    axes.add_patch(Rectangle((150, 11), 40, 13, color=WATER))
    axes.add_patch(Polygon(ground, color=EARTH))
    axes.add_patch(Polygon([(34, 52), (34, 70), (38, 70), (45, 52)], fc=CONCRETE, ec=INK))
    axes.add_patch(Rectangle((52, 52), 18, 16, facecolor=CONCRETE, edgecolor=INK))
    axes.plot([38, 52], [60, 60], color=BLUE, lw=5)
    axes.plot([70, 136], [58, 27], color=BLUE, lw=7, solid_capstyle="round")
    axes.add_patch(
        Polygon([(130, 20), (130, 40), (142, 48), (154, 40), (154, 20)], fc="#f4efe6", ec=INK)
    )
    axes.add_patch(Circle((142, 28), 5, facecolor="white", edgecolor=INK, lw=1.6))
    axes.plot([5, 178], [66, 66], color=GREY, lw=0.9, ls=":")
    axes.annotate("", (172, 24), (172, 66), arrowprops={"arrowstyle": "<->", "color": RED})
    labels = (
        (38, 77, "weir"),
        (61, 75, "forebay"),
        (108, 52, "penstock"),
        (142, 54, "powerhouse"),
        (140, 13, "turbine"),
        (172, 4, "tailrace"),
        (17, 74, "intake pond"),
    )
    for x, y, text in labels:
        axes.text(x, y, text, ha="center", fontsize=12)
    axes.text(170, 45, "gross head", rotation=90, ha="right", va="center", color=RED, fontsize=12)
