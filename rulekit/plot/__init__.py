"""Pictures: functions `draw(ax, data)` that compute nothing, and the one place that turns a figure into bytes."""
