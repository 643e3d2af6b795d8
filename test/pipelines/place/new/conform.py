"""Evaluates `conform` row by row, written from what openaddr/conform.py of openaddresses/batch-machine does.

Reads a JSON list of {layer, conform, rows} and writes, for each, a list with a map of attributes for each row. A row at which
the reference implementation stops with an error is null.
"""

import json
import re
import sys

SCHEMAS = {
    "addresses": "number street unit city district region postcode id accuracy".split(),
    "parcels": ["pid"],
    "buildings": ["height", "levels"],
    "centerlines": (
        "id name oneway speed classification surface addr_from_left addr_to_left addr_from_right addr_to_right"
        " zip_left zip_right"
    ).split(),
}
HOUSE = r"\d+(?:[ -]\d/\d)?|\d+-\d+|\d+-?[A-Z]"
UNIT = r"(?:(?:UNIT|APARTMENT|APT\.?|SUITE|STE\.?|BUILDING|BLDG\.?|LOT)\s+|#).+"
PREFIXED_NUMBER = re.compile(r"^\s*(" + HOUSE + r")\s+", re.I)
POSTFIXED_STREET = re.compile(r"^(?:\s*(?:" + HOUSE + r")\s+)?(.*)", re.I)
STREET_BEFORE_UNIT = re.compile(r"^(?:\s*(?:" + HOUSE + r")\s+)?(.+?)(?:\s+" + UNIT + r")?$", re.I)
POSTFIXED_UNIT = re.compile(r"\s(" + UNIT + r")$", re.I)


def groups(pattern, text):
    match = pattern.search(text)
    return "".join(group for group in match.groups() if group) if match else ""


def regexp(row, call):
    pattern, text = re.compile(call["pattern"]), row[call["field"]]
    replace = call.get("replace")
    if not replace:
        return groups(pattern, text)
    pieces = re.split(r"\$\{?(\d+)\}?", replace)
    fill = lambda match: "".join((match.group(int(p)) or "") if i % 2 else p for i, p in enumerate(pieces))
    return pattern.sub(fill, text)


def formatted(row, call):
    fields = [(row[name] or "").strip() for name in call["fields"]]
    out, position, added = "", 0, 0
    for match in re.finditer(r"\$([0-9]+)", call["format"]):
        n = int(match.group(1))
        if 0 < n <= len(fields):
            field = fields[n - 1]
            if position == 0 or (added and field):
                out += call["format"][position : match.start()]
            if field:
                out += field[:-2] if field.endswith(".0") else field
                added += 1
        position = match.end()
    return out + call["format"][position:] if added else ""


def remove_prefix(row, call):
    text, prefix = row[call["field"]], row[call["field_to_remove"]]
    return text[len(prefix) :].lstrip(" ") if text.startswith(prefix) else text


def remove_postfix(row, call):
    text, postfix = row[call["field"]], row[call["field_to_remove"]]
    return text[: -len(postfix)].rstrip(" ") if postfix and text.endswith(postfix) else text


def kilometres(row, call):
    try:
        return str(round(float(row[call["field"]]) * 1.60934))
    except ValueError:
        return ""


def apply(schema, row, key, call):
    """Sets the computed value of a key, where the function gives one."""
    name = call["function"]
    if name == "chain":
        own, variable = key, call.get("variable")
        if variable and variable.lstrip("oa:") not in schema and variable not in row:
            row["oa:" + variable] = ""
            key = variable
        for function in call["functions"]:
            apply(schema, row, key, function)
            if row.get("oa:" + key):
                row[key] = row["oa:" + key]
        row["oa:" + own] = row["oa:" + key]
        return
    if name == "first_non_empty":
        for field in call["fields"]:
            if row[field] and row[field].strip():
                row["oa:" + key] = row[field]
                return
        return
    if name == "map":
        value = row.get(call["field"])
        if value is not None:
            row["oa:" + key] = call["mapping"].get(value, call.get("else", ""))
        return
    row["oa:" + key] = {
        "regexp": lambda: regexp(row, call),
        "prefixed_number": lambda: groups(PREFIXED_NUMBER, row[call["field"]]),
        "postfixed_street": lambda: groups(
            STREET_BEFORE_UNIT if call.get("may_contain_units") else POSTFIXED_STREET, row[call["field"]]
        ),
        "postfixed_unit": lambda: groups(POSTFIXED_UNIT, row[call["field"]]),
        "join": lambda: call.get("separator", " ").join(
            part for part in ((row[n] or "").strip() for n in call["fields"]) if part
        ),
        "format": lambda: formatted(row, call),
        "remove_prefix": lambda: remove_prefix(row, call),
        "remove_postfix": lambda: remove_postfix(row, call),
        "constant": lambda: call["value"],
        "mph_to_kph": lambda: kilometres(row, call),
    }[name]()


def evaluated(layer, conform, row):
    schema, row = SCHEMAS[layer], dict(row)
    for key, value in conform.items():
        if key not in schema:
            continue
        if isinstance(value, list):
            row["oa:" + key] = " ".join(part for part in ((row.get(n) or "").strip() for n in value) if part)
        elif isinstance(value, dict):
            apply(schema, row, key, value)
    out = {}
    for key in schema:
        value = row.get("oa:" + key)
        if value is None and isinstance(conform.get(key), str):
            value = row.get(conform[key])
        out[key] = value or ""
    if layer == "addresses":
        for key in ("unit", "number", "street"):
            out[key] = out[key].strip()
        if out["number"].endswith(".0"):
            out["number"] = out["number"][:-2]
    return out


def attempt(layer, conform, row):
    try:
        return evaluated(layer, conform, row)
    except KeyError:
        return None


json.dump(
    [[attempt(one["layer"], one["conform"], row) for row in one["rows"]] for one in json.load(sys.stdin)], sys.stdout
)
