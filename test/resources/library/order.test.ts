// Positions: there is always room between two, and the order is the requested one.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { between } from "../../../src/resources/library/tree/order";

describe("positions between two others", () => {
  test("a position between two others lies between them, whatever inserts came before", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 200 }), (places) => {
        const order: string[] = [];
        for (const place of places) {
          const at = place % (order.length + 1);
          const position = between(order[at - 1], order[at]);
          if (at > 0) expect(position > order[at - 1]!).toBe(true);
          if (at < order.length) expect(`${position}zz1` < order[at]!).toBe(true);
          expect(position.endsWith("0")).toBe(false);
          order.splice(at, 0, position);
        }
      }),
    );
  });

  test("a position stays short after a thousand inserts at the end, at the start or between the same two", () => {
    const ends: string[] = [];
    for (let i = 0; i < 1000; i++) ends.push(between(ends.at(-1), undefined));
    expect(ends.at(-1)!.length).toBeLessThan(40);
    let first: string | undefined;
    for (let i = 0; i < 1000; i++) first = between(undefined, first);
    expect(first!.length).toBeLessThan(210);
    let [low, high] = ["5", "6"];
    for (let i = 0; i < 1000; i++) [low, high] = i % 2 ? [between(low, high), high] : [low, between(low, high)];
    expect(high.length).toBeLessThan(250);
  });

  test("a position between equal or reversed positions is rejected", () => {
    expect(() => between("b", "b")).toThrow(RangeError);
    expect(() => between("c", "b")).toThrow(RangeError);
  });
});
