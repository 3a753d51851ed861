"""schema.py FOLDER FILE..: each FILE beside the JSON Schema in FOLDER that its `schema` names. Knows the words of JSON
Schema that these use, and refuses any other. --broken: instead, each file without one of its keys, and with a value of
another type, must be refused."""
import copy, json, pathlib, re, sys

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
SAID = {"$schema", "$id", "title", "description", "$defs", "required", "type", "properties", "additionalProperties", "items",
        "prefixItems", "minItems", "enum", "const", "pattern", "minimum", "anyOf", "$ref"}
schemas = {}


def schema_of(folder, name):
    if name not in schemas:
        schemas[name] = json.loads((folder / name).read_text())
        assert schemas[name]["$id"] == name, f"{name}: $id is {schemas[name]['$id']}"
    return schemas[name]


def is_type(value, kind):
    if kind in ("integer", "number"):
        return isinstance(value, (int, float)[: 1 + (kind == "number")]) and not isinstance(value, bool)
    return isinstance(value, TYPES[kind])


def faults(value, schema, folder, at=""):
    """Yields what is wrong, each with its place."""
    if schema is False:
        yield f"{at}: nothing may stand here"
        return
    if schema is True:
        return
    unknown = set(schema) - SAID
    assert not unknown, f"{unknown}: words that this does not know"
    if "$ref" in schema:
        yield from faults(value, schema_of(folder, schema["$ref"]), folder, at)
    if "anyOf" in schema and all(any(faults(value, s, folder, at)) for s in schema["anyOf"]):
        yield f"{at}: fits none of {len(schema['anyOf'])} kinds: " + "; ".join(
            next(faults(value, s, folder, at)) for s in schema["anyOf"])
    if "type" in schema and not any(is_type(value, t) for t in [schema["type"]] * isinstance(schema["type"], str) or schema["type"]):
        yield f"{at}: {json.dumps(value)[:60]} is no {schema['type']}"
        return
    if "const" in schema and value != schema["const"]:
        yield f"{at}: {value!r} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at}: {value!r} is none of {schema['enum']}"
    if "pattern" in schema and isinstance(value, str) and not re.search(schema["pattern"], value):
        yield f"{at}: {value!r} does not match {schema['pattern']}"
    if "minimum" in schema and is_type(value, "number") and value < schema["minimum"]:
        yield f"{at}: {value} is less than {schema['minimum']}"
    if isinstance(value, dict):
        for key in schema.get("required", []):
            if key not in value:
                yield f"{at}: no {key}"
        for key, part in value.items():
            inner = schema.get("properties", {}).get(key, schema.get("additionalProperties", True))
            yield from faults(part, inner, folder, f"{at}.{key}")
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            yield f"{at}: {len(value)} items"
        first = schema.get("prefixItems", [])
        for i, part in enumerate(value):
            yield from faults(part, first[i] if i < len(first) else schema.get("items", True), folder, f"{at}[{i}]")


def broken(value):
    """Copies of an object, each with one of its keys gone or of a type that no key has."""
    for key in value:
        less = copy.copy(value)
        del less[key]
        yield f"without {key}", less
        yield f"{key} an odd value", {**value, key: [{"odd": 0.5}]}
    yield "with a key too many", {**value, "key_too_many": 1}


def check(path, folder, how):
    value = json.loads(pathlib.Path(path).read_text())
    schema = schema_of(folder, value["schema"] + ".json")
    if how == "--broken":
        return [f"{path} {what} is taken" for what, bad in broken(value)
                if (what[len("without "):] not in set(schema["properties"]) - set(schema["required"])) and not any(faults(bad, schema, folder))]
    found = faults(value, schema, folder)
    return [f"{path}{fault}" for fault in found if how != "--older" or ": no " not in fault][:5]


def main(how, folder, *files):
    wrong = [fault for f in files for fault in check(f, pathlib.Path(folder), how)]
    print("\n".join(wrong))
    sys.exit(bool(wrong) or not files)


main(*sys.argv[1:] if sys.argv[1].startswith("--") else ["--whole", *sys.argv[1:]])
