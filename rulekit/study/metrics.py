"""All metrics by name. A number of the list may have several.

Each topic's rows stand in a module of their own (`metrics_…`), the functions beside them by topic.
"""

from rulekit.study.metric import KINDS as KINDS
from rulekit.study.metric import UNITS as UNITS
from rulekit.study.metric import Metric as Metric
from rulekit.study.metrics_cars import CARS
from rulekit.study.metrics_course import ALONE
from rulekit.study.metrics_play import PLAY
from rulekit.study.metrics_tension import CHOICES, TENSION

ROWS: tuple[Metric, ...] = (*PLAY, *TENSION, *CHOICES, *ALONE, *CARS)
"""Each topic's metrics, one after the other."""

METRICS: dict[str, Metric] = {metric.name: metric for metric in ROWS}
"""The metrics by name."""
