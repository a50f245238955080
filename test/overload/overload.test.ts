// A small overload, to test the tool itself; `npm run overload` is the long run.

import { expect, test } from "vitest";
import { overload } from "./overload";

test("a server that is asked for too much says so, cuts nobody off and keeps what it has answered", async () => {
  const { half, full } = await overload({ connections: 200, seconds: 4, seed: 2026 });
  for (const { counts, wrong, written, lost } of [half, full]) {
    expect(wrong).toEqual({});
    expect(counts.served).toBeGreaterThan(0);
    expect(written.length).toBeGreaterThan(0);
    expect(lost).toEqual([]);
  }
});
