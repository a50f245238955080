import { expect, test } from "vitest";
import { parseJsonObject, tryParseJson } from "../../src/utils/json";

test("only the text of a JSON object is parsed as one", () => {
  expect(parseJsonObject('{"type":"object"}')).toEqual({ type: "object" });
  for (const text of ["", "[]", "null", "1", "{"]) expect(parseJsonObject(text)).toBeUndefined();
});

test("a text that is not JSON has no value, and null is a value", () => {
  expect(["", "{", "nul", "null", "[1]"].map(tryParseJson)).toEqual([undefined, undefined, undefined, null, [1]]);
});
