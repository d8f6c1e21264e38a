"""For each line of a file, a JSON document: prints 1 when it fits the schema and 0 when it does not.

judge_documents.py SCHEMA DOCUMENTS; exit status 3: python3-jsonschema is not installed.
"""
import json
import sys

try:
    import jsonschema
except ImportError:
    sys.exit(3)

with open(sys.argv[1]) as file:
    schema = json.load(file)
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
with open(sys.argv[2]) as file:
    for line in file:
        print(int(validator.is_valid(json.loads(line))))
