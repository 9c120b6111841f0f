"""The words of the English handbook. The example site and its numbers are invented."""

from making.handbook_charts import DURATION, ENERGY
from making.script import Script

TITLE = "Small Hydro Handbook"
HEADER = "Small Hydro Handbook, sample edition"

_FLOW = dict(DURATION)
DESIGN_FLOW, RESIDUAL, HEAD, EFFICIENCY = _FLOW[30], _FLOW[95], 42.0, 0.86


def power_kw(flow: float) -> float:
    """Electrical power in kW at the net head of the example site."""
    return 9.81 * flow * HEAD * EFFICIENCY


def handbook() -> Script:
    """The whole handbook in reading order."""
    script = Script()
    for part in (_front, _chapter_one, _chapter_two, _chapter_three, _chapter_four, _chapter_five):
        part(script)
    return script


def _front(s: Script) -> None:
    s.heading(0, TITLE)
    s.text(
        "A short guide to planning, equipping and running a small run-of-river power plant, with "
        "one worked example that is carried through all chapters.",
        "This is a sample document. The river, the plant and all numbers are invented. It was "
        "written for demonstrations of document search and is dedicated to the public domain under "
        "CC0 1.0.",
    )
    s.page()
    s.heading(1, "Preface")
    s.text(
        "Small plants are built by small teams. The people who measure the stream often also "
        "choose the turbine and later clean the trash rack. This handbook is written for them: "
        "each chapter answers one question and names the figure or the table to look at.",
        "Numbers are given in SI units. Heads are in metres, discharges in cubic metres per "
        "second, powers in kilowatts and energies in gigawatt hours. The pages before this chapter "
        "are numbered in Roman numerals, the others in Arabic numerals.",
    )
    s.page()


def _chapter_one(s: Script) -> None:
    s.heading(1, "1 Introduction")
    s.heading(2, "1.1 Scope")
    s.text(
        "The handbook covers plants with an installed capacity between 100 kW and 10 MW that "
        "divert water from a stream and return it further down. Storage plants, pumped storage and "
        "tidal plants are outside its scope.",
        "The example site, Alder Brook, has a net head of 42 m. It is used in every chapter so "
        "that the results of one step can be followed into the next.",
    )
    s.heading(2, "1.2 Terms and definitions")
    s.text(
        "<b>Gross head</b> is the difference in level between the water surface at the intake and "
        "at the tailrace. <b>Net head</b> is the gross head less the losses in the waterway.",
        "<b>Residual flow</b> is the discharge that must remain in the natural stream bed below "
        "the weir at all times.",
        "<b>Capacity factor</b> is the energy produced in a year divided by the energy that the "
        "plant would produce at full power during all 8,760 hours.",
    )
    s.page()


def _chapter_two(s: Script) -> None:
    s.heading(1, "2 Site Assessment")
    s.heading(2, "2.1 Flow duration")
    s.text(
        "Ten years of daily discharges are sorted from the largest to the smallest and plotted "
        "against the share of time in which they are exceeded. Figure 2.1 shows the result for "
        f"Alder Brook. A discharge of {DESIGN_FLOW:.1f} m³/s is exceeded 30 % of the time and is "
        f"chosen as the design flow. The residual flow is set to the discharge exceeded 95 % of "
        f"the time, {RESIDUAL:.1f} m³/s.",
    )
    s.picture("chart", "duration", "Figure 2.1 Flow duration curve of Alder Brook")
    s.heading(2, "2.2 Power")
    s.text(
        "The electrical power in kilowatts is P = 9.81 Q H e, where Q is the discharge through the "
        "turbine in m³/s, H the net head in m and e the overall efficiency. With the design flow "
        f"of {DESIGN_FLOW:.1f} m³/s, a net head of {HEAD:.0f} m and an overall efficiency of "
        f"{EFFICIENCY:.2f} the example plant is rated at {power_kw(DESIGN_FLOW):,.0f} kW.",
    )
    s.page()


def _chapter_three(s: Script) -> None:
    s.heading(1, "3 Turbine Selection")
    s.heading(2, "3.1 Fields of application")
    s.text(
        "Head and discharge decide the type of turbine. Figure 3.1 shows the usual fields on "
        "logarithmic scales. Where two fields overlap, efficiency at part load and the cost of "
        "maintenance decide. The example site lies in the Francis field."
    )
    s.picture("chart", "turbines", "Figure 3.1 Fields of application of turbine types")
    s.heading(2, "3.2 Properties of turbine types")
    s.text(
        "Table 3.1 compares the four common types. A Pelton turbine keeps a high efficiency down "
        "to a tenth of its design flow, while a Francis turbine should not be run below 40 %."
    )
    s.table(
        "Table 3.1 Properties of turbine types",
        [
            ["Type", "Head range (m)", "Peak efficiency (%)", "Lowest flow (% of design)"],
            ["Kaplan", "2 to 30", "91", "20"],
            ["Francis", "20 to 300", "93", "40"],
            ["Pelton", "80 to 800", "90", "10"],
            ["Crossflow", "5 to 120", "84", "15"],
        ],
        (0.22, 0.24, 0.26, 0.28),
    )
    s.page()


def _chapter_four(s: Script) -> None:
    year = sum(ENERGY)
    factor = 100 * year * 1e6 / (power_kw(DESIGN_FLOW) * 8760)
    s.heading(1, "4 Operation and Maintenance")
    s.heading(2, "4.1 Energy through the year")
    s.text(
        f"Figure 4.1 shows the monthly energy of the example plant. May is the best month with "
        f"{max(ENERGY):.2f} GWh, when snow melts in the upper catchment. September is the weakest "
        f"with {min(ENERGY):.2f} GWh. The year adds up to {year:.2f} GWh, a capacity factor of "
        f"{factor:.0f} %."
    )
    s.picture("chart", "energy", "Figure 4.1 Monthly energy of the example plant")
    s.heading(2, "4.2 Inspection intervals")
    s.text(
        "Inspections follow Table 4.1. The interval for the trash rack is halved in autumn, when "
        "leaves fall. Findings are written into the log book on the same day."
    )
    s.table(
        "Table 4.1 Inspection intervals",
        [
            ["Component", "Task", "Interval", "Limit"],
            ["Trash rack", "Measure head loss, clean", "1 week", "Head loss 0.15 m"],
            ["Penstock", "Look for leaks and corrosion", "6 months", "Wall loss 10 %"],
            ["Main bearing", "Measure temperature", "1 day", "75 °C"],
            ["Generator", "Measure insulation resistance", "1 year", "At least 5 MΩ"],
            ["Emergency valve", "Close under full flow", "1 year", "Closed within 60 s"],
        ],
        (0.22, 0.36, 0.18, 0.24),
    )
    s.page()


def _chapter_five(s: Script) -> None:
    s.heading(1, "5 Safety")
    s.heading(2, "5.1 Requirements")
    s.text("The operator shall see to the following:")
    s.points(
        "a) Nobody enters the penstock or the turbine casing alone; at least two persons are "
        "present.",
        "b) Before any work inside the waterway the intake gate is closed, locked and tagged.",
        "c) The bearing temperature alarm is set to 75 °C and the trip to 85 °C.",
        "d) The siren at the tailrace sounds for 30 seconds before the turbine starts.",
    )
    s.heading(2, "5.2 Floods")
    s.text(
        "When the discharge at the weir exceeds 30 m³/s the intake is closed and the plant is shut "
        "down. It is started again when the discharge has stayed below 20 m³/s for six hours and "
        "the trash rack has been cleaned.",
        "The log of each flood records the highest level at the weir, the time of the shutdown and "
        "the time of the restart. The records are kept for at least ten years.",
    )
