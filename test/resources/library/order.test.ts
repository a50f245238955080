// Positions: there is always room createPositionBetween two, and the order is the requested one.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPositionBetween } from "../../../src/resources/library/tree/order";

describe("positions createPositionBetween two others", () => {
  test("a position createPositionBetween two others lies createPositionBetween them, whatever inserts came before", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 200 }), (places) => {
        const order: string[] = [];
        for (const place of places) {
          const at = place % (order.length + 1);
          const position = createPositionBetween(order[at - 1], order[at]);
          if (at > 0) expect(position > order[at - 1]!).toBe(true);
          if (at < order.length) expect(`${position}zz1` < order[at]!).toBe(true);
          expect(position.endsWith("0")).toBe(false);
          order.splice(at, 0, position);
        }
      }),
    );
  });

  test("a position stays short after a thousand inserts at the end, at the start or createPositionBetween the same two", () => {
    const ends: string[] = [];
    for (let i = 0; i < 1000; i++) ends.push(createPositionBetween(ends.at(-1), undefined));
    expect(ends.at(-1)!.length).toBeLessThan(40);
    let first: string | undefined;
    for (let i = 0; i < 1000; i++) first = createPositionBetween(undefined, first);
    expect(first!.length).toBeLessThan(210);
    let [low, high] = ["5", "6"];
    for (let i = 0; i < 1000; i++)
      [low, high] = i % 2 ? [createPositionBetween(low, high), high] : [low, createPositionBetween(low, high)];
    expect(high.length).toBeLessThan(250);
  });

  test("a position createPositionBetween equal or reversed positions is rejected", () => {
    expect(() => createPositionBetween("b", "b")).toThrow(RangeError);
    expect(() => createPositionBetween("c", "b")).toThrow(RangeError);
  });
});
