// Reads a PDF back, as a reader would: its text, its links and where they lead, its bookmarks.

import { getDocument, OPS, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";

/** What a reader sees of a sheet. */
export interface ReadSheet {
  /** The text as it is copied, with single spaces. */
  readonly text: string;
  /** The lines of text, top to bottom, left to right. */
  readonly lines: readonly string[];
  readonly links: readonly ReadLink[];
  readonly pictures: readonly ReadPicture[];
  /** The color of every filled shape and of every line, in the order in which they are drawn, such as `#fff3c4`. */
  readonly shapeColors: readonly string[];
}

/** A picture: its pixels, and how large it is drawn. */
export interface ReadPicture {
  /** Red, green, blue and opacity of each pixel. */
  readonly pixels: readonly (readonly number[])[];
  readonly width: number;
  readonly height: number;
}

/** A link: to an address, or to a sheet of the file. */
export interface ReadLink {
  /** The text under it. */
  readonly text: string;
  readonly url?: string;
  /** The number of the sheet, from 1. */
  readonly sheet?: number;
  /** How far up on the sheet. */
  readonly y?: number;
}

/** A bookmark, what is below it, and the sheet that it leads to. */
export interface ReadBookmark {
  readonly title: string;
  readonly sheet: number;
  readonly items: readonly ReadBookmark[];
}

/** A PDF that was read. */
export interface ReadPdf {
  readonly sheets: readonly ReadSheet[];
  readonly bookmarks: readonly ReadBookmark[];
  readonly info: Readonly<Record<string, unknown>>;
  /** The text of all sheets. */
  readonly text: string;
}

type Pdf = Awaited<ReturnType<typeof getDocument>["promise"]>;
type Page = Awaited<ReturnType<Pdf["getPage"]>>;

interface Word {
  readonly str: string;
  readonly transform: readonly number[];
  readonly width: number;
}

function opened(bytes: Uint8Array) {
  return getDocument({
    data: bytes.slice(),
    verbosity: VerbosityLevel.ERRORS,
    useSystemFonts: false,
    isEvalSupported: false,
    stopAtErrors: true,
  });
}

/** How many sheets a file has. */
export async function countSheets(bytes: Uint8Array): Promise<number> {
  const task = opened(bytes);
  const { numPages } = await task.promise;
  await task.destroy();
  return numPages;
}

/** Reads a file. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const task = opened(bytes);
  const pdf = await task.promise;
  const sheets: ReadSheet[] = [];
  for (let number = 1; number <= pdf.numPages; number++) sheets.push(await readSheet(pdf, await pdf.getPage(number)));
  const bookmarks = await readBookmarks(pdf, (await pdf.getOutline()) ?? []);
  const { info } = await pdf.getMetadata();
  await task.destroy();
  return { sheets, bookmarks, info: info as Record<string, unknown>, text: sheets.map(({ text }) => text).join(" ") };
}

async function readSheet(pdf: Pdf, page: Page): Promise<ReadSheet> {
  const { items } = await page.getTextContent({ disableNormalization: true });
  const words = items.filter((item): item is typeof item & Word => "str" in item && item.str.trim() !== "");
  const pictures = await readPictures(page);
  const links = [];
  for (const annotation of await page.getAnnotations()) links.push(await readLink(pdf, annotation, words));
  page.cleanup();
  const text = items
    .map((item) => ("str" in item ? item.str + (item.hasEOL ? " " : "") : ""))
    .join("")
    .replace(/[ \n]+/g, " ")
    .trim();
  return { text, lines: linesOf(words), links, pictures, shapeColors: await readShapeColors(page) };
}

function toHex(channels: ArrayLike<number>): string {
  return `#${Array.from(channels, (channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

async function readShapeColors(page: Page): Promise<string[]> {
  const { fnArray, argsArray } = await page.getOperatorList();
  const colors: string[] = [];
  let fill = "#000000";
  let stroke = "#000000";
  for (const [at, operator] of fnArray.entries()) {
    if (operator === OPS.setFillRGBColor) fill = toHex(argsArray[at]);
    else if (operator === OPS.setStrokeRGBColor) stroke = toHex(argsArray[at]);
    else if (operator === OPS.constructPath) colors.push(argsArray[at][0] === OPS.stroke ? stroke : fill);
  }
  return colors;
}

async function readPictures(page: Page): Promise<ReadPicture[]> {
  const { fnArray, argsArray } = await page.getOperatorList();
  const pictures: ReadPicture[] = [];
  let placed: number[] | undefined;
  for (const [at, operator] of fnArray.entries()) {
    if (operator === OPS.restore) placed = undefined;
    if (operator === OPS.transform) placed ??= argsArray[at] as number[];
    if (operator !== OPS.paintImageXObject) continue;
    const [width, , , height] = placed!;
    pictures.push({ pixels: await readPixels(page, argsArray[at][0]), width: width!, height: height! });
  }
  return pictures;
}

interface Bitmap {
  readonly kind: number;
  readonly data: Uint8Array;
}

async function readPixels(page: Page, name: string): Promise<number[][]> {
  const objects = name.startsWith("g_") ? page.commonObjs : page.objs;
  const { kind, data } = await new Promise<Bitmap>((found) => objects.get(name, found));
  if (kind === 1) throw new Error("Pictures of one bit are not read here.");
  const samples = kind === 3 ? 4 : 3;
  return Array.from({ length: data.length / samples }, (_, at) => {
    const pixel = [...data.subarray(at * samples, (at + 1) * samples)];
    return samples === 3 ? [...pixel, 255] : pixel;
  });
}

/** Words at one height, from left to right. */
function linesOf(words: readonly Word[]): string[] {
  const lines = new Map<number, Word[]>();
  for (const word of words) {
    const y = Math.round(word.transform[5]!);
    lines.set(y, [...(lines.get(y) ?? []), word]);
  }
  return [...lines]
    .sort(([a], [b]) => b - a)
    .map(([, line]) =>
      line
        .sort((a, b) => a.transform[4]! - b.transform[4]!)
        .map(({ str }) => str.trim())
        .join(" "),
    );
}

interface Annotation {
  readonly rect: readonly [number, number, number, number];
  readonly url?: string;
  readonly unsafeUrl?: string;
  readonly dest?: readonly [{ readonly num: number; readonly gen: number }, unknown, unknown, number];
}

async function readLink(pdf: Pdf, annotation: Annotation, words: readonly Word[]): Promise<ReadLink> {
  const [left, bottom, right, top] = annotation.rect;
  const under = words.filter(({ transform: [, , , , x, y], width }) => {
    const middle = x! + width / 2;
    return middle > left - 1 && middle < right + 1 && y! > bottom - 1 && y! < top + 1;
  });
  const text = under.map(({ str }) => str).join(" ");
  if (annotation.dest) {
    const sheet = (await pdf.getPageIndex(annotation.dest[0])) + 1;
    return { text, sheet, y: annotation.dest[3] };
  }
  return { text, url: annotation.url ?? annotation.unsafeUrl ?? "" };
}

type Outline = Awaited<ReturnType<Pdf["getOutline"]>>;

async function readBookmarks(pdf: Pdf, outline: Outline): Promise<ReadBookmark[]> {
  const bookmarks: ReadBookmark[] = [];
  for (const { title, dest, items } of outline) {
    const [ref] = dest as unknown as [{ num: number; gen: number }];
    bookmarks.push({ title, sheet: (await pdf.getPageIndex(ref)) + 1, items: await readBookmarks(pdf, items) });
  }
  return bookmarks;
}
