"""The year 2023 of an invented river: every number of the Chinese report comes from here.

Daily series are smooth curves through chosen points, so the text, the tables and the charts agree
by construction and a second run gives the same values.
"""

from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator

Series = NDArray[np.float64]

YEAR = 2023
DAYS = 365
SECONDS_A_DAY = 86_400

BASIN_KM2 = 4_360
RIVER_KM = 142
RAIN_MM = (18, 24, 46, 82, 138, 196, 228, 174, 112, 64, 30, 16)
RAIN_NORMAL_MM = (16, 22, 44, 78, 130, 182, 214, 168, 104, 58, 28, 14)
ENERGY = {2019: 3.12, 2020: 3.48, 2021: 3.36, 2022: 2.74, 2023: 3.65}
"""Energy fed to the grid, 10^8 kWh (亿千瓦时)."""
CAPACITY_MW = 96

CREST, CHECK, DESIGN = 417.00, 415.60, 414.20
NORMAL, FLOOD_LIMIT, DEAD, FOUNDATION = 412.00, 408.50, 396.00, 341.00

_LEVELS = (
    ((1, 1), 407.20),
    ((2, 10), 403.60),
    ((3, 20), 400.10),
    ((4, 28), 398.42),
    ((5, 20), 401.30),
    ((6, 15), 405.70),
    ((7, 10), 407.60),
    ((7, 19), 410.86),
    ((7, 31), 407.90),
    ((8, 10), 408.90),
    ((8, 31), 407.40),
    ((9, 30), 408.30),
    ((10, 25), 410.20),
    ((12, 1), 409.10),
    ((12, 31), 407.80),
)
_BASE_FLOW = (20.0, 18.0, 25.0, 48.0, 90.0, 150.0, 192.0, 136.0, 98.0, 56.0, 33.0, 24.0)
_FLOODS = (((6, 14), 410.0), ((7, 18), 1_310.0), ((8, 9), 520.0), ((9, 5), 280.0))


def day(month: int, of_month: int) -> int:
    """The day of the year, from 0."""
    return (date(YEAR, month, of_month) - date(YEAR, 1, 1)).days


def calendar(index: int) -> str:
    """`7月18日` for a day of the year counted from 0."""
    when = date(YEAR, 1, 1) + timedelta(days=index)
    return f"{when.month}月{when.day}日"


def months() -> NDArray[np.int64]:
    """The month (1..12) of each day."""
    start = date(YEAR, 1, 1)
    return np.array([(start + timedelta(days=i)).month for i in range(DAYS)])


def daily_level() -> Series:
    """Reservoir level at 8 o'clock, metres above datum, to the centimetre."""
    knots = [day(*when) for when, _ in _LEVELS]
    curve = PchipInterpolator(knots, [level for _, level in _LEVELS])(np.arange(DAYS))
    ripple = 0.12 * np.sin(np.arange(DAYS) * 0.71) * np.sin(np.arange(DAYS) * 0.19)
    distance = np.min(np.abs(np.arange(DAYS)[:, None] - np.array(knots)[None, :]), axis=1)
    return np.round(curve + ripple * np.clip(distance / 12, 0, 1), 2)


def daily_flow() -> Series:
    """Daily mean inflow, cubic metres a second: a seasonal base and four floods."""
    middles = [-16, *(day(m, 15) for m in range(1, 13)), DAYS + 14]
    base_points = [_BASE_FLOW[-1], *_BASE_FLOW, _BASE_FLOW[0]]
    time = np.arange(DAYS)
    flow = PchipInterpolator(middles, base_points)(time)
    for when, height in _FLOODS:
        lag = time - day(*when)
        flow = flow + height * np.where(lag < 0, np.exp(lag / 1.1), np.exp(-lag / 3.2))
    return np.round(flow * (1 + 0.04 * np.sin(time * 0.53)), 0)


@dataclass(frozen=True)
class Month:
    """One month of the discharge table; runoff in 10^8 cubic metres."""

    number: int
    mean: float
    highest: float
    lowest: float
    runoff: float


def monthly_flow() -> list[Month]:
    """Mean, highest and lowest daily inflow and the runoff of each month."""
    flow, month = daily_flow(), months()
    rows = []
    for number in range(1, 13):
        part = flow[month == number]
        runoff = float(part.sum()) * SECONDS_A_DAY / 1e8
        rows.append(
            Month(
                number, float(part.mean()), float(part.max()), float(part.min()), round(runoff, 2)
            )
        )
    return rows


def share(part: float, whole: float) -> str:
    """A percentage with one decimal, without the sign."""
    return f"{100 * part / whole:.1f}"
