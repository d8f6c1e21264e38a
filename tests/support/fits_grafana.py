"""Prints what of a dashboard Grafana's own models (PyPI: grafana-foundation-sdk) do not know, or know as something else.

fits_grafana.py DASHBOARD
"""
import enum
import json
import sys
import typing

from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.models.dashboard import Dashboard


def fits(value, hint):
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Union:
        return any(fits(value, part) for part in parts)
    if origin is typing.Literal:
        return value in parts
    if origin is list:
        return isinstance(value, list) and all(fits(each, parts[0]) for each in value)
    if origin is dict:
        return isinstance(value, dict) and all(fits(each, parts[1]) for each in value.values())
    if hint in (int, float):
        return isinstance(value, (int, hint)) and not isinstance(value, bool)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return value in [each.value for each in hint]
    return isinstance(value, hint) if isinstance(hint, type) else True


def misfits(model, path):
    """Python does not look at the types that the models declare."""
    if isinstance(model, list):
        for i, each in enumerate(model):
            yield from misfits(each, f"{path}[{i}]")
    elif type(model).__module__.startswith("grafana_foundation_sdk") and not isinstance(model, enum.Enum):
        for name, hint in typing.get_type_hints(type(model)).items():
            value = getattr(model, name)
            if not fits(value, hint):
                yield f"{path}.{name}: {value!r} is no {hint}"
            yield from misfits(value, f"{path}.{name}")


def lost(ours, theirs, path):
    """What has not come through the models."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key, value in ours.items():
            if key in theirs:
                yield from lost(value, theirs[key], f"{path}.{key}")
            else:
                yield f"{path}.{key}: is not known"
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for i, each in enumerate(ours):
            yield from lost(each, theirs[i], f"{path}[{i}]")
    elif ours != theirs:
        yield f"{path}: {ours!r} has become {theirs!r}"


register_default_plugins()
with open(sys.argv[1]) as file:
    text = json.load(file)
dashboard = Dashboard.from_json(text)
through = json.loads(JSONEncoder(sort_keys=True).encode(dashboard))
for line in [*misfits(dashboard, ""), *lost(text, through, "")]:
    print(line)
