// Positions of pages among siblings.

import fc from "fast-check";
import { expect, test } from "vitest";
import { createOrderBetween } from "../../../src/content/revision/order";

test("a position between two neighbors lies between them, wherever pages are inserted", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 1000 }), { maxLength: 200 }), (puts) => {
      const places: string[] = [];
      for (const put of puts) {
        const at = put % (places.length + 1);
        places.splice(at, 0, createOrderBetween(places[at - 1], places[at]));
      }
      expect(places).toEqual([...new Set(places)].sort());
    }),
  );
});

test("repeated inserts at one end keep positions short", () => {
  for (const end of ["last", "first"] as const) {
    let place: string | undefined;
    for (let i = 0; i < 50_000; i++) {
      const next: string = end === "last" ? createOrderBetween(place, undefined) : createOrderBetween(undefined, place);
      if (place !== undefined && (end === "last" ? next <= place : next >= place)) throw new Error(`${place} ${next}`);
      place = next;
    }
    expect(place!.length).toBeLessThanOrEqual(5);
  }
});

test("there is no position between a position and itself", () => {
  expect(() => createOrderBetween("a1", "a1")).toThrow(RangeError);
});
