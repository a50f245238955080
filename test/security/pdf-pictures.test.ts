// Pictures of a few bytes with very many pixels. They are unpacked a few rows at a time, and no more of them than a file has
// room for.

import { zlibSync } from "fflate";
import { expect, test } from "vitest";
import { readPicture } from "../../src/pdf/images/read";
import { MAX_IMAGE_RASTER, MAX_INTERLACED_RASTER } from "../../src/pdf/limits";
import { assemble, head } from "../pdf/pictures";

const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** A picture without a filter, all of one value: about a thousandth of its pixels. */
function flat(width: number, height: number, colourType: number, isInterlaced = false): Uint8Array {
  const header = head(width, height, colourType);
  header[12] = Number(isInterlaced);
  const rows = new Uint8Array((width * SAMPLES[colourType]! + 1) * height);
  return assemble([
    ["IHDR", header],
    ...(colourType === 3
      ? ([
          ["PLTE", new Uint8Array(6)],
          ["tRNS", Uint8Array.of(0, 255)],
        ] as const)
      : []),
    ["IDAT", zlibSync(rows)],
  ]);
}

/** Runs something, and returns its result with the largest array of bytes that was made for it. */
async function measureLargestArray<T>(run: () => Promise<T>): Promise<{ result: T; largest: number }> {
  const Real = globalThis.Uint8Array;
  let largest = 0;
  globalThis.Uint8Array = new Proxy(Real, {
    construct(target, args, newTarget) {
      if (typeof args[0] === "number") largest = Math.max(largest, args[0]);
      return Reflect.construct(target, args, newTarget === globalThis.Uint8Array ? target : newTarget);
    },
  });
  try {
    return { result: await run(), largest };
  } finally {
    globalThis.Uint8Array = Real;
  }
}

test.each([
  ["colours", 2],
  ["colours and opacity", 6],
  ["greys and opacity", 4],
  ["a palette with opacity", 3],
])("a large picture of %s is never in memory as a whole", async (_, colourType) => {
  const bytes = flat(2_000, 2_000, colourType);
  expect(bytes.length).toBeLessThan(60_000);
  const { result, largest } = await measureLargestArray(() => readPicture(bytes, () => true));
  expect(result).toMatchObject({ width: 2_000, height: 2_000 });
  expect(largest).toBeLessThanOrEqual(1024 * 1024);
});

test("a picture that is interlaced is small, or left out before it is unpacked", async () => {
  const side = Math.ceil(Math.sqrt(MAX_INTERLACED_RASTER / 3)) + 1;
  const bytes = flat(side, side, 2, true);
  const { result, largest } = await measureLargestArray(() => readPicture(bytes, () => true));
  expect(result).toBeUndefined();
  expect(largest).toBeLessThan(1024 * 1024);
});

test("pictures count for the file by what they are unpacked, before they are", async () => {
  const sizes: number[] = [];
  const take = (size: number) => {
    sizes.push(size);
    return sizes.length < 2;
  };
  const bytes = flat(100, 50, 6);
  expect(await readPicture(bytes, take)).toBeDefined();
  expect(await readPicture(bytes, take)).toBeUndefined();
  expect(sizes).toEqual([(100 * 4 + 1) * 50, (100 * 4 + 1) * 50]);
});

test("what a header says is bounded before anything is unpacked", async () => {
  const asked: number[] = [];
  const take = (size: number) => asked.push(size) > 0;
  const sizes = [
    [65_535, 65_535],
    [70_000, 1],
    [1, 70_000],
    [Math.ceil(MAX_IMAGE_RASTER / 4 / 5_000), 5_000],
  ] as const;
  for (const [width, height] of sizes) {
    const bytes = assemble([
      ["IHDR", head(width, height, 6)],
      ["IDAT", zlibSync(new Uint8Array(1_000))],
    ]);
    expect(await readPicture(bytes, take)).toBeUndefined();
  }
  expect(asked).toEqual([]);
});
