// Pictures of a few bytes with very many pixels. They are unpacked a few rows at a time, and no more of them than the budgets of
// their page and of the file allow.

import { zlibSync } from "fflate";
import { expect, test } from "vitest";
import { pdfPrinter } from "../../src/pdf";
import { readPicture } from "../../src/pdf/images/read";
import { MAX_IMAGE_RASTER, MAX_INTERLACED_RASTER, MAX_PAGE_PICTURE_WORK } from "../../src/pdf/limits";
import { assemble, head } from "../pdf/pictures";
import { block, job, page } from "../pdf/writing";

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
])("a large image of %s is never in memory as a whole", async (_, colourType) => {
  const bytes = flat(2_000, 2_000, colourType);
  expect(bytes.length).toBeLessThan(60_000);
  const { result, largest } = await measureLargestArray(() => readPicture(bytes, () => true));
  expect(result).toMatchObject({ width: 2_000, height: 2_000 });
  expect(largest).toBeLessThanOrEqual(1024 * 1024);
});

test("an interlaced image is small or skipped before it is decompressed", async () => {
  const side = Math.ceil(Math.sqrt(MAX_INTERLACED_RASTER / 3)) + 1;
  const bytes = flat(side, side, 2, true);
  const { result, largest } = await measureLargestArray(() => readPicture(bytes, () => true));
  expect(result).toBeUndefined();
  expect(largest).toBeLessThan(1024 * 1024);
});

test("images count by the bytes that are read for them, before they are decompressed", async () => {
  const sizes: number[] = [];
  const take = (size: number) => {
    sizes.push(size);
    return sizes.length < 2;
  };
  const bytes = flat(100, 50, 6);
  expect(await readPicture(bytes, take)).toBeDefined();
  expect(await readPicture(bytes, take)).toBeUndefined();
  // Unpacked, and packed anew: colours and opacity apart.
  expect(sizes).toEqual([2 * (100 * 4 + 1) * 50, 2 * (100 * 4 + 1) * 50]);
  const takeAll = (size: number) => sizes.push(size) > 0;
  await readPicture(flat(100, 50, 2), takeAll);
  expect(sizes[2]).toBe((100 * 3 + 1) * 50);
  await readPicture(flat(100, 50, 3), takeAll);
  expect(sizes[3]).toBe(5 * (100 + 1) * 50 + 100 * 50);
  await readPicture(flat(100, 50, 2, true), takeAll);
  expect(sizes[4]).toBeGreaterThan(7 * (100 * 3 + 1) * 50);
});

test("the images of a page share one budget", async () => {
  // The bytes of thirty files differ, but their pixels are packed once.
  const packed = zlibSync(new Uint8Array((4_900 * 4 + 1) * 4_900), { level: 1 });
  const files = new Map<string, Uint8Array>();
  for (let at = 0; at < 30; at++) {
    const chunks = [
      ["IHDR", head(4_900, 4_900, 6)],
      ["tEXt", Uint8Array.of(at)],
      ["IDAT", packed],
    ] as const;
    files.set(`fil-${at}`, assemble(chunks));
  }
  const images = [...files.keys()].map((file) =>
    block("images", {}, block("image", { ref: { kind: "file", file }, alt: `Picture ${file}.` })),
  );
  const file = async (id: string) => ({ bytes: files.get(id)!, contentType: "image/png" });
  const printed = await pdfPrinter().print(job([page("T", 0, ...images)], { file }));
  const pdf = new TextDecoder("latin1").decode(printed);
  const decodedBytes = pdf.match(/\/Width 4900 \/Height 4900 \/ColorSpace \/DeviceRGB/g)!.length * 4_900 * 4_900 * 4;
  expect(decodedBytes).toBeGreaterThan(0);
  expect(decodedBytes).toBeLessThanOrEqual(MAX_PAGE_PICTURE_WORK / 2);
});

test("the values of a header are bounded before anything is decompressed", async () => {
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
  // A pixel of a palette may take a bit, and its opacity takes a byte: 100 KB were 780 million pixels, and half a minute.
  const header = head(20_000, 39_000, 3);
  header[8] = 1;
  const palette = [
    ["PLTE", new Uint8Array(6)],
    ["tRNS", Uint8Array.of(0)],
  ] as const;
  const bits = assemble([["IHDR", header], ...palette, ["IDAT", zlibSync(new Uint8Array(1_000))]]);
  expect(await readPicture(bits, take)).toBeUndefined();
  expect(asked).toEqual([]);
});
