// The content of one sheet. Positions are relative to the upper left corner. A PDF counts from the lower left one; this file
// converts between them.

import type { GlyphPart } from "../fonts/face";
import type { FontChoice } from "../fonts/typeset";
import type { PdfLinkTarget } from "../targets";
import { PAPER, type PdfColor } from "../theme";
import { formatNumber, formatNumbers, formatText } from "./syntax";

/** Glyphs of one font in one line. */
export interface TextRun {
  readonly choice: FontChoice;
  readonly parts: readonly GlyphPart[];
  readonly size: number;
  readonly color: PdfColor;
}

export interface LinkArea {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly target: PdfLinkTarget;
}

/** A heading in the outline and the table of contents. */
export interface Bookmark {
  readonly title: string;
  /** 0 is the top. */
  readonly level: number;
  /** Set for the title of a page or a group. Unset for a heading on a page. */
  readonly isPage: boolean;
  readonly top: number;
}

/** A path of moves, lines and curves. */
export type DrawingPath = readonly (readonly [type: "m" | "l" | "c", ...values: number[]])[];

/** The slant of simulated italics. */
const SLANT = 0.2;

export class Sheet {
  readonly links: LinkArea[] = [];
  readonly places: { readonly name: string; readonly top: number }[] = [];
  readonly bookmarks: Bookmark[] = [];
  readonly #operations: string[] = [];
  #ink: PdfColor | undefined;
  #filling = "";
  #stroking = "";

  /** The PDF operators of everything that was drawn. */
  get content(): string {
    return this.#operations.join("\n");
  }

  /** Draws text. `y` is its baseline. */
  drawText(x: number, y: number, { choice, parts, size, color }: TextRun): void {
    this.#fill(color);
    if (choice.thickens || choice.outlines) this.#stroke(color);
    const slant = choice.slants ? SLANT : 0;
    const mode =
      choice.thickens || choice.outlines ? ` ${choice.outlines ? 1 : 2} Tr ${formatNumbers(size / 32)} w` : "";
    let font = parts[0]?.font ?? choice.face.resource;
    this.#add(
      `BT /${font} ${formatNumbers(size)} Tf${mode} 1 0 ${formatNumber(slant)} 1 ${formatNumbers(x, toPdfY(y))} Tm`,
    );
    let rise = 0;
    for (const part of parts) {
      const wanted = part.font ?? choice.face.resource;
      if (wanted !== font) this.#add(`/${wanted} ${formatNumbers(size)} Tf`);
      font = wanted;
      if (part.rise !== rise) this.#add(`${formatNumbers((part.rise * size) / 1000)} Ts`);
      rise = part.rise;
      this.#add(`[${part.codes}] TJ`);
    }
    this.#add(`${rise === 0 ? "" : "0 Ts "}${mode ? "0 Tr " : ""}ET`);
  }

  /** Draws a box for each character that no font has. The characters can still be copied. */
  drawMissingCharacters(x: number, y: number, characters: string, size: number, color: PdfColor, width: number): void {
    this.#stroke(color);
    this.#add(`/Span <</ActualText ${formatText(characters)}>> BDC ${formatNumbers(size / 32)} w`);
    const count = [...characters].length;
    for (let at = 0; at < count; at++)
      this.#add(`${formatNumbers(x + at * width + width * 0.12, toPdfY(y), width * 0.76, size * 0.7)} re S`);
    this.#add("EMC");
  }

  /** Fills a box, with round corners if a radius is given. */
  fillBox(left: number, top: number, width: number, height: number, color: PdfColor, radius = 0): void {
    this.#fill(color);
    this.#add(`${formatBoxPath(left, top, width, height, radius)} f`);
  }

  strokeBox(
    left: number,
    top: number,
    width: number,
    height: number,
    color: PdfColor,
    radius = 0,
    thickness = 0.75,
  ): void {
    this.#stroke(color);
    this.#add(`${formatNumbers(thickness)} w ${formatBoxPath(left, top, width, height, radius)} S`);
  }

  drawLine(
    points: readonly (readonly [x: number, y: number])[],
    color: PdfColor,
    thickness = 0.75,
    isDotted = false,
  ): void {
    this.#stroke(color);
    const path = points.map(([x, y], at) => `${formatNumbers(x, toPdfY(y))} ${at === 0 ? "m" : "l"}`).join(" ");
    const dots = isDotted ? `[0 ${formatNumbers(thickness * 4)}] 0 d ` : "";
    this.#add(`1 J 1 j ${dots}${formatNumbers(thickness)} w ${path} S 0 J 0 j${isDotted ? " [] 0 d" : ""}`);
  }

  fillShape(points: readonly (readonly [x: number, y: number])[], color: PdfColor): void {
    this.#fill(color);
    this.#add(`${points.map(([x, y], at) => `${formatNumbers(x, toPdfY(y))} ${at === 0 ? "m" : "l"}`).join(" ")} f`);
  }

  drawPath(path: DrawingPath, color: PdfColor, thickness: number): void {
    this.#stroke(color);
    const written = path.map(
      ([type, ...values]) =>
        `${formatNumbers(...values.map((value, at) => (at % 2 === 0 ? value : toPdfY(value))))} ${type}`,
    );
    this.#add(`1 J 1 j ${formatNumbers(thickness)} w ${written.join(" ")} S 0 J 0 j`);
  }

  /** Draws something that is read aloud, copied and searched as a text. */
  drawWithText(words: string, draw: () => void): void {
    this.#add(`/Span <</ActualText ${formatText(words)}>> BDC`);
    draw();
    this.#add("EMC");
  }

  /** Draws a picture. The matrix `orientation` turns pictures upright that were taken sideways. */
  drawPicture(
    resource: string,
    left: number,
    top: number,
    width: number,
    height: number,
    orientation: readonly number[],
  ): void {
    const place = formatNumbers(width, 0, 0, height, left, toPdfY(top + height));
    this.#add(`q ${place} cm ${formatNumbers(...orientation)} cm /${resource} Do Q`);
  }

  addLink(area: LinkArea): void {
    this.links.push(area);
  }

  /** Names a position that links can point to. */
  addPlace(name: string, top: number): void {
    this.places.push({ name, top });
  }

  addBookmark(bookmark: Bookmark): void {
    this.bookmarks.push(bookmark);
  }

  #add(operation: string): void {
    this.#operations.push(operation);
  }

  #fill(color: PdfColor): void {
    if (color === this.#ink) return;
    this.#ink = color;
    const wanted = `${formatNumbers(...color)} rg`;
    if (wanted !== this.#filling) this.#add(wanted);
    this.#filling = wanted;
  }

  #stroke(color: PdfColor): void {
    const wanted = `${formatNumbers(...color)} RG`;
    if (wanted !== this.#stroking) this.#add(wanted);
    this.#stroking = wanted;
  }
}

/** Converts a distance from the top of the sheet to one from its bottom. */
export function toPdfY(y: number): number {
  return PAPER.height - y;
}

function formatBoxPath(left: number, top: number, width: number, height: number, radius: number): string {
  const bottom = toPdfY(top + height);
  const r = Math.min(radius, width / 2, height / 2);
  if (r <= 0) return `${formatNumbers(left, bottom, width, height)} re`;
  // With this distance, a cubic curve comes closest to a quarter of a circle.
  const k = r * 0.4477;
  const right = left + width;
  const upper = bottom + height;
  return [
    `${formatNumbers(left + r, bottom)} m`,
    `${formatNumbers(right - r, bottom)} l ${formatNumbers(right - k, bottom, right, bottom + k, right, bottom + r)} c`,
    `${formatNumbers(right, upper - r)} l ${formatNumbers(right, upper - k, right - k, upper, right - r, upper)} c`,
    `${formatNumbers(left + r, upper)} l ${formatNumbers(left + k, upper, left, upper - k, left, upper - r)} c`,
    `${formatNumbers(left, bottom + r)} l ${formatNumbers(left, bottom + k, left + k, bottom, left + r, bottom)} c h`,
  ].join(" ");
}
