// Bytes that an import sets aside wait in the storage, and take no memory of the process.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { memoryStorage } from "octavo/memory";
import { expect, test } from "vitest";
import { createByteSpill } from "../../../src/resources/content/imports/byte-spill";
import { createStore } from "../../../src/storage/store";
import { seeded } from "../../support/setting";

const MIB = 1024 * 1024;

test("bytes that are set aside are not held in memory and read back unchanged", async () => {
  const store = createStore(memoryStorage(), { now: () => new Date(0), random: seeded(1), pause: async () => {} });
  const setAside = createByteSpill(store, "org-a");
  const given: WeakRef<Uint8Array>[] = [];
  const again: (() => Promise<Uint8Array>)[] = [];
  for (let n = 0; n < 40; n++) {
    const bytes = new Uint8Array(MIB).fill(n);
    given.push(new WeakRef(bytes));
    again.push(await setAside(bytes));
  }
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  // What a WeakRef was made for stays until the turn is over.
  await new Promise((resolve) => setTimeout(resolve, 1));
  collect();
  // The last ones may still wait to be put together.
  expect(given.filter((it) => it.deref() !== undefined).length).toBeLessThanOrEqual(8);
  for (const [n, read] of again.entries()) {
    const bytes = await read();
    expect([bytes.length, bytes[0], bytes[MIB - 1]]).toEqual([MIB, n, n]);
  }
});
