// Pictures are printed pixel for pixel in every encoding. A picture that cannot be printed is replaced with its text.

import { zlibSync } from "fflate";
import { describe, expect, test } from "vitest";
import { pdfPrinter } from "../../src/pdf";
import { readPicture } from "../../src/pdf/images/read";
import { assemble, gradient, head, OTHERS, type PngLook, png } from "./pictures";
import { type ReadPicture, readPdf } from "./reader";
import { block, job, p, page } from "./writing";

async function printed(
  bytes: Uint8Array | undefined,
  data: { width?: number | string; height?: number | string } = {},
) {
  const image = block("image", { ref: { kind: "file", file: "fil-1" }, alt: "What it shows", ...data });
  const file = async () => bytes && { bytes, contentType: "image/png" };
  const pages = [page("T", 0, p("before"), block("images", {}, image), p("after"))];
  return (await readPdf(await pdfPrinter().print(job(pages, { file })))).sheets[1]!;
}

async function picture(bytes: Uint8Array): Promise<ReadPicture> {
  const { pictures } = await printed(bytes);
  expect(pictures.length).toBe(1);
  return pictures[0]!;
}

const SIZE = { width: 7, height: 6 };
const mixed = (x: number, y: number) => (x * 37 + y * 91) % 256;

describe("PNG", () => {
  const kinds: readonly (readonly [
    name: string,
    look: Pick<PngLook, "colourType" | "pixel" | "chunks">,
    seen: PngLook["pixel"],
  ])[] = [
    [
      "in greys",
      { colourType: 0, pixel: (x, y) => [mixed(x, y)] },
      (x, y) => [mixed(x, y), mixed(x, y), mixed(x, y), 255],
    ],
    ["in colours", { colourType: 2, pixel: (x, y) => [x * 30, y * 40, 99] }, (x, y) => [x * 30, y * 40, 99, 255]],
    [
      "with a palette",
      { colourType: 3, pixel: (x) => [x % 3], chunks: { PLTE: [255, 0, 0, 0, 255, 0, 0, 0, 255] } },
      (x) =>
        [
          [255, 0, 0, 255],
          [0, 255, 0, 255],
          [0, 0, 255, 255],
        ][x % 3]!,
    ],
    [
      "with a palette that can be seen through",
      { colourType: 3, pixel: (x) => [x % 3], chunks: { PLTE: [255, 0, 0, 0, 255, 0, 0, 0, 255], tRNS: [255, 64] } },
      (x) =>
        [
          [255, 0, 0, 255],
          [0, 255, 0, 64],
          [0, 0, 255, 255],
        ][x % 3]!,
    ],
    [
      "in greys that can be seen through",
      { colourType: 4, pixel: (x, y) => [mixed(x, y), 255 - x] },
      (x, y) => [mixed(x, y), mixed(x, y), mixed(x, y), 255 - x],
    ],
    [
      "in colours that can be seen through",
      { colourType: 6, pixel: (x, y) => [x * 30, y * 40, 99, mixed(x, y)] },
      (x, y) => [x * 30, y * 40, 99, mixed(x, y)],
    ],
    [
      "in colours of which one is clear",
      { colourType: 2, pixel: (x) => [x % 2, 2, 3], chunks: { tRNS: [0, 1, 0, 2, 0, 3] } },
      (x) => [x % 2, 2, 3, x % 2 === 1 ? 0 : 255],
    ],
    ["in colours that could be seen through", { colourType: 6, pixel: (x) => [x, 2, 3, 255] }, (x) => [x, 2, 3, 255]],
  ];
  const filters = [[0], [1], [2], [3], [4], [4, 3, 2, 1, 0]];

  test.each(kinds.flatMap(([name, look, seen]) => filters.map((each) => [name, each, look, seen] as const)))(
    "the pixels of %s, filtered by %j, are kept",
    async (_, filter, look, seen) => {
      const { pixels } = await picture(png({ ...SIZE, ...look, filters: filter }));
      const expected = Array.from({ length: SIZE.height }, (_, y) =>
        Array.from({ length: SIZE.width }, (_, x) => seen(x, y)),
      );
      expect(pixels).toEqual(expected.flat());
    },
  );

  test.each(filters)("an alpha channel that is opaque everywhere is dropped, filtered by %j", async (...filter) => {
    const read = (opacity: (x: number, y: number) => number) => {
      const pixel = (x: number, y: number) => [x, y, opacity(x, y)];
      const greys = png({ ...SIZE, colourType: 4, pixel: (x, y) => pixel(x, y).slice(1), filters: filter });
      const colours = png({ ...SIZE, colourType: 6, pixel: (x, y) => [9, ...pixel(x, y)], filters: filter });
      return Promise.all([greys, colours].map(async (bytes) => (await readPicture(bytes, () => true))?.opacity));
    };
    expect(await read(() => 255)).toEqual([undefined, undefined]);
    for (const [column, row] of [
      [0, 0],
      [3, 0],
      [0, 3],
      [6, 5],
    ]) {
      const opacities = await read((x, y) => (x === column && y === row ? 254 : 255));
      expect(opacities).toEqual([expect.anything(), expect.anything()]);
    }
  });

  test.each([
    ["in seven passes", OTHERS.pngInSevenPasses],
    ["in seven passes, with two bits a pixel", OTHERS.pngWithFourColours],
  ])("the pixels of %s are kept", async (_, bytes) => {
    const { pixels } = await picture(bytes);
    const line = (colour: readonly number[]) => Array.from({ length: 5 }, () => colour);
    expect(pixels).toEqual([...line([255, 0, 0, 255]), ...line([128, 0, 128, 255]), ...line([0, 0, 255, 255])]);
  });
});

describe("JPEG", () => {
  const near = (pixel: readonly number[], colour: readonly number[]) =>
    expect(
      pixel.every((sample, at) => Math.abs(sample - colour[at]!) < 12),
      `${pixel}`,
    ).toBe(true);

  test("a JPEG keeps its colors", async () => {
    near((await picture(OTHERS.jpegInColours)).pixels[0]!, [192, 48, 32, 255]);
    near((await picture(OTHERS.jpegInGreys)).pixels[0]!, [153, 153, 153, 255]);
    // Colours for print are shown by a reader as well as a screen can.
    const [red, green, blue] = (await picture(OTHERS.jpegForPrint)).pixels[0]!;
    expect(red).toBeGreaterThan(green! + blue!);
  });

  test("a rotated JPEG is turned upright", async () => {
    const sideways = withOrientation(OTHERS.jpegInColours, 6);
    const [upright] = (await printed(OTHERS.jpegInColours)).pictures;
    const [turned] = (await printed(sideways)).pictures;
    expect(upright!.width / upright!.height).toBeCloseTo(12 / 8, 1);
    expect(turned!.width / turned!.height).toBeCloseTo(8 / 12, 1);
  });
});

describe("image sizes", () => {
  test("the size of a picture is three quarters of a point per pixel, the requested size, or the available width", async () => {
    const bytes = gradient(200, 100);
    const sizes = async (data: Parameters<typeof printed>[1]) => {
      const [{ width, height }] = (await printed(bytes, data)).pictures as [ReadPicture];
      return [Math.round(width), Math.round(height)];
    };
    expect(await sizes({})).toEqual([150, 75]);
    expect(await sizes({ width: 400 })).toEqual([300, 150]);
    expect(await sizes({ width: "50%" })).toEqual([236, 118]);
    expect(await sizes({ height: "40px" })).toEqual([60, 30]);
    expect(await sizes({ width: "9999" })).toEqual([471, 236]);
    expect(await sizes({ width: "a lot" })).toEqual([150, 75]);
  });

  test("a picture never takes more than most of a sheet", async () => {
    const { pictures, text } = await printed(gradient(20, 900));
    expect(pictures[0]!.height).toBeLessThan(842 * 0.75);
    expect(text).toContain("after");
  });
});

describe("images that cannot be printed", () => {
  const bomb = zlibSync(new Uint8Array(40_000_000));
  const cut = (bytes: Uint8Array, part: number) => bytes.subarray(0, Math.floor(bytes.length * part));
  const whole = gradient(40, 40);

  test.each<readonly [string, Uint8Array | undefined]>([
    ["that is not there", undefined],
    ["that is empty", new Uint8Array()],
    ["that is an SVG", new TextEncoder().encode("<svg xmlns='http://www.w3.org/2000/svg'/>")],
    ["that is a GIF", new TextEncoder().encode("GIF89a\x01\x00\x01\x00")],
    ["that ends in its head", cut(whole, 0.01)],
    ["that ends in its pixels", cut(whole, 0.6)],
    [
      "that has no pixels",
      assemble([
        ["IHDR", head(4, 4, 2)],
        ["IDAT", zlibSync(new Uint8Array(3))],
      ]),
    ],
    [
      "that has no width",
      assemble([
        ["IHDR", head(0, 4, 2)],
        ["IDAT", zlibSync(new Uint8Array(80))],
      ]),
    ],
    [
      "that is larger than any",
      assemble([
        ["IHDR", head(65_535, 65_535, 6)],
        ["IDAT", bomb],
      ]),
    ],
    [
      "that has no palette",
      assemble([
        ["IHDR", head(4, 4, 3)],
        ["IDAT", zlibSync(new Uint8Array(20))],
      ]),
    ],
    [
      "that is of no kind",
      assemble([
        ["IHDR", head(4, 4, 5)],
        ["IDAT", zlibSync(new Uint8Array(80))],
      ]),
    ],
    [
      "that is not deflated",
      assemble([
        ["IHDR", head(4, 4, 2)],
        ["IDAT", new Uint8Array(80).fill(7)],
      ]),
    ],
    ["that has chunks of any length", assemble([["IHDR", head(4, 4, 2)]]).fill(0xff, 33)],
    ["that ends before its frame", cut(OTHERS.jpegInColours, 0.2)],
    ["that is a JPEG of nothing", Uint8Array.of(0xff, 0xd8, 0xff, 0xd9, 0, 0, 0, 0)],
  ])("%s is replaced by its alternative text", async (_, bytes) => {
    const { pictures, text } = await printed(bytes);
    expect(pictures).toEqual([]);
    expect(text).toContain("before What it shows after");
  });

  test("data after the end of a picture is ignored", async () => {
    const { pictures } = await printed(
      assemble([
        ["IHDR", head(4, 4, 2)],
        ["IDAT", bomb],
      ]),
    );
    expect(pictures[0]!.pixels).toEqual(Array.from({ length: 16 }, () => [0, 0, 0, 255]));
  });
});

test("a picture that is shown often is in the file once", async () => {
  const asked: string[] = [];
  const bytes = gradient(64, 64);
  const file = async (id: string) => {
    asked.push(id);
    return { bytes, contentType: "image/png" };
  };
  const image = block("images", {}, block("image", { ref: { kind: "file", file: "fil-1" } }));
  const pages = [page("A", 0, image, image), page("B", 0, image)];
  const pdf = await pdfPrinter().print(job(pages, { file }));
  expect(asked).toEqual(["fil-1"]);
  expect((await readPdf(pdf)).sheets.flatMap(({ pictures }) => pictures).length).toBe(3);
  expect(pdf.length).toBeLessThan(2 * bytes.length + 4000);
});

test("pictures with equal bytes are in the file once", async () => {
  const bytes = gradient(64, 64);
  const file = async () => ({ bytes: bytes.slice(), contentType: "image/png" });
  const shown = (id: string) => block("images", {}, block("image", { ref: { kind: "file", file: id } }));
  const size = async (...ids: string[]) =>
    (await pdfPrinter().print(job([page("A", 0, ...ids.map(shown))], { file }))).length;
  expect((await size("fil-1", "fil-2", "fil-3")) - (await size("fil-1"))).toBeLessThan(bytes.length / 2);
});

test("pictures that are not shown are not loaded", async () => {
  const asked: string[] = [];
  const file = async (id: string) => void asked.push(id);
  const ref = { kind: "file", file: "fil-large" } as const;
  await pdfPrinter().print(job([page("A", 0, block("file", { ref }))], { file: async (id) => file(id) as never }));
  expect(asked).toEqual([]);
});

/** A JPEG that says which side is up. */
function withOrientation(jpeg: Uint8Array, orientation: number): Uint8Array {
  const exif = [
    ...[0xff, 0xe1, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0],
    ...[0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1],
    ...[0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0],
  ];
  return Uint8Array.from([...jpeg.subarray(0, 2), ...exif, ...jpeg.subarray(2)]);
}
