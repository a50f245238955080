// Large JSON is parsed in steps, and comes out as `JSON.parse` has it.

import fc from "fast-check";
import { expect, test } from "vitest";
import { parseJsonInSteps, stringifyJsonInSteps } from "../../../src/utils/concurrency/json-steps";
import { runStepsSync } from "../../../src/utils/concurrency/steps";
import { runs } from "../../support/test-length";
import { largeSpecification } from "./written";

test("every value is stringified correctly, however small the steps", () => {
  const property = fc.property(fc.jsonValue(), fc.constantFrom(2, 3, 7, 100), (value, most) => {
    const text = JSON.stringify(value);
    expect(runStepsSync(parseJsonInSteps(text, most))).toEqual(JSON.parse(text));
    expect(runStepsSync(stringifyJsonInSteps(value, most))).toBe(text);
  });
  fc.assert(property, { numRuns: runs(200) });
  const dated = { a: [undefined, new Date(0)], b: undefined };
  expect(runStepsSync(stringifyJsonInSteps(dated))).toBe(JSON.stringify(dated));
});

test("a large value is stringified in many steps, however deeply it is nested", () => {
  let value: unknown = Array.from({ length: 20_000 }, (_, at) => ({ at }));
  for (let depth = 0; depth < 20; depth++) value = { inside: [value] };
  const steps = stringifyJsonInSteps(value);
  let [count, step] = [0, steps.next()];
  for (; !step.done; step = steps.next()) count++;
  expect(step.value).toBe(JSON.stringify(value));
  expect(count).toBeGreaterThan(20);
  expect(runStepsSync(stringifyJsonInSteps(value, 100_000))).toBe(step.value);
});

test.each([
  ["list", Array.from({ length: 10_000 }, () => ({ text: "Some words. ".repeat(5) }))],
  ["object", Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`of-${at}`, "Some words. ".repeat(5)]))],
])("a %s of many small values is stringified in many steps", (_, value) => {
  const steps = stringifyJsonInSteps(value);
  let [count, step] = [0, steps.next()];
  for (; !step.done; step = steps.next()) count++;
  expect(step.value).toBe(JSON.stringify(value));
  expect(count).toBeGreaterThan(8);
});

test("a value whose strings and names look like internal marks is stringified correctly", () => {
  const value = JSON.parse(
    '{"__proto__":{"a":1},"}]":["\\"{[,\\\\",{}," \\\\\\" "],"\\\\":[[],[[-1.5e3]],true,null,""]}',
  );
  const text = JSON.stringify(value);
  for (let most = 2; most < 40; most++) expect(JSON.stringify(runStepsSync(parseJsonInSteps(text, most)))).toBe(text);
});

test("JSON from outside is accepted or rejected as JSON.parse does, with all whitespace", () => {
  const read = (parse: () => unknown) => {
    try {
      return { value: parse() };
    } catch (error) {
      return { refused: error instanceof SyntaxError };
    }
  };
  const signs = fc.constantFrom(...'[]{},:"\\ \n\t1a-', "null", '"a"', '"\\""', "");
  const written = fc.jsonValue().map((value) => JSON.stringify(value, null, " "));
  const property = fc.property(
    written,
    fc.array(fc.tuple(fc.nat(), signs)),
    fc.constantFrom(2, 3, 7),
    (text, cuts, most) => {
      let changed = ` ${text}\r\n`;
      for (const [at, sign] of cuts.slice(0, 3)) {
        const cut = at % changed.length;
        changed = changed.slice(0, cut) + sign + changed.slice(cut + (at % 2));
      }
      for (const each of [`\t${text} `, changed])
        expect(read(() => runStepsSync(parseJsonInSteps(each, most)))).toEqual(read(() => JSON.parse(each)));
    },
  );
  fc.assert(property, { numRuns: runs(500) });
});

test("a large JSON text is parsed in many steps", () => {
  const text = JSON.stringify(largeSpecification(100));
  const steps = parseJsonInSteps(text, 4000);
  let count = 0;
  while (!steps.next().done) count++;
  expect(count).toBeGreaterThan(text.length / 4000 / 2);
});
