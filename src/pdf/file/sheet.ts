// One sheet of paper while it is written on. Positions are counted from the upper left corner. A PDF counts from the
// lower left one; only this file deals with that.

import type { GlyphPart } from "../fonts/face";
import type { Choice } from "../fonts/typeset";
import type { LinkTarget } from "../targets";
import { type Color, PAPER } from "../theme";
import { number, numbers, text } from "./syntax";

/** Glyphs of one font on one line. */
export interface SetText {
  readonly choice: Choice;
  readonly parts: readonly GlyphPart[];
  readonly size: number;
  readonly color: Color;
}

/** A part of a sheet that can be clicked. */
export interface LinkArea {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly target: LinkTarget;
}

/** A heading as it is listed beside the document and in its contents. */
export interface Bookmark {
  readonly title: string;
  /** 0 is the top. */
  readonly level: number;
  /** Whether it is the title of a page or a group, and not a heading on one. */
  readonly isPage: boolean;
  readonly top: number;
}

/** Moves, lines and curves between points. */
export type Path = readonly (readonly [type: "m" | "l" | "c", ...values: number[]])[];

/** How far letters are slanted in fonts without italics. */
const SLANT = 0.2;

/** A sheet. */
export class Sheet {
  readonly links: LinkArea[] = [];
  readonly places: { readonly name: string; readonly top: number }[] = [];
  readonly bookmarks: Bookmark[] = [];
  readonly #operations: string[] = [];
  #ink: Color | undefined;
  #filling = "";
  #stroking = "";

  /** Everything that was drawn, as a PDF reads it. */
  get content(): string {
    return this.#operations.join("\n");
  }

  /** Writes text; `y` is its base line. */
  text(x: number, y: number, { choice, parts, size, color }: SetText): void {
    this.#fill(color);
    if (choice.thickens || choice.outlines) this.#stroke(color);
    const slant = choice.slants ? SLANT : 0;
    const mode = choice.thickens || choice.outlines ? ` ${choice.outlines ? 1 : 2} Tr ${numbers(size / 32)} w` : "";
    let font = parts[0]?.font ?? choice.face.resource;
    this.#add(`BT /${font} ${numbers(size)} Tf${mode} 1 0 ${number(slant)} 1 ${numbers(x, flip(y))} Tm`);
    let rise = 0;
    for (const part of parts) {
      const wanted = part.font ?? choice.face.resource;
      if (wanted !== font) this.#add(`/${wanted} ${numbers(size)} Tf`);
      font = wanted;
      if (part.rise !== rise) this.#add(`${numbers((part.rise * size) / 1000)} Ts`);
      rise = part.rise;
      this.#add(`[${part.codes}] TJ`);
    }
    this.#add(`${rise === 0 ? "" : "0 Ts "}${mode ? "0 Tr " : ""}ET`);
  }

  /** Draws a box for every character that cannot be printed, and says which it is. */
  boxes(x: number, y: number, characters: string, size: number, color: Color, width: number): void {
    this.#stroke(color);
    this.#add(`/Span <</ActualText ${text(characters)}>> BDC ${numbers(size / 32)} w`);
    const count = [...characters].length;
    for (let at = 0; at < count; at++)
      this.#add(`${numbers(x + at * width + width * 0.12, flip(y), width * 0.76, size * 0.7)} re S`);
    this.#add("EMC");
  }

  /** Fills a box, with round corners if a radius is given. */
  fillBox(left: number, top: number, width: number, height: number, color: Color, radius = 0): void {
    this.#fill(color);
    this.#add(`${outline(left, top, width, height, radius)} f`);
  }

  /** Draws the edge of a box. */
  strokeBox(
    left: number,
    top: number,
    width: number,
    height: number,
    color: Color,
    radius = 0,
    thickness = 0.75,
  ): void {
    this.#stroke(color);
    this.#add(`${numbers(thickness)} w ${outline(left, top, width, height, radius)} S`);
  }

  /** Draws a line through points. */
  line(points: readonly (readonly [x: number, y: number])[], color: Color, thickness = 0.75, isDotted = false): void {
    this.#stroke(color);
    const path = points.map(([x, y], at) => `${numbers(x, flip(y))} ${at === 0 ? "m" : "l"}`).join(" ");
    const dots = isDotted ? `[0 ${numbers(thickness * 4)}] 0 d ` : "";
    this.#add(`1 J 1 j ${dots}${numbers(thickness)} w ${path} S 0 J 0 j${isDotted ? " [] 0 d" : ""}`);
  }

  /** Fills a shape between points. */
  shape(points: readonly (readonly [x: number, y: number])[], color: Color): void {
    this.#fill(color);
    this.#add(`${points.map(([x, y], at) => `${numbers(x, flip(y))} ${at === 0 ? "m" : "l"}`).join(" ")} f`);
  }

  /** Draws a line along a path. */
  path(path: Path, color: Color, thickness: number): void {
    this.#stroke(color);
    const written = path.map(
      ([type, ...values]) => `${numbers(...values.map((value, at) => (at % 2 === 0 ? value : flip(value))))} ${type}`,
    );
    this.#add(`1 J 1 j ${numbers(thickness)} w ${written.join(" ")} S 0 J 0 j`);
  }

  /** Draws something that is read aloud, copied and found as a text. */
  spelled(words: string, draw: () => void): void {
    this.#add(`/Span <</ActualText ${text(words)}>> BDC`);
    draw();
    this.#add("EMC");
  }

  /** Draws a picture; `turn` maps the unit square onto itself, for pictures that were taken sideways. */
  picture(resource: string, left: number, top: number, width: number, height: number, turn: readonly number[]): void {
    const place = numbers(width, 0, 0, height, left, flip(top + height));
    this.#add(`q ${place} cm ${numbers(...turn)} cm /${resource} Do Q`);
  }

  /** Makes a part of the sheet lead somewhere. */
  link(area: LinkArea): void {
    this.links.push(area);
  }

  /** Gives a name to a place that links can lead to. */
  place(name: string, top: number): void {
    this.places.push({ name, top });
  }

  /** Lists a heading. */
  bookmark(bookmark: Bookmark): void {
    this.bookmarks.push(bookmark);
  }

  #add(operation: string): void {
    this.#operations.push(operation);
  }

  #fill(color: Color): void {
    if (color === this.#ink) return;
    this.#ink = color;
    const wanted = `${numbers(...color)} rg`;
    if (wanted !== this.#filling) this.#add(wanted);
    this.#filling = wanted;
  }

  #stroke(color: Color): void {
    const wanted = `${numbers(...color)} RG`;
    if (wanted !== this.#stroking) this.#add(wanted);
    this.#stroking = wanted;
  }
}

/** From the top of the sheet to its foot. */
export function flip(y: number): number {
  return PAPER.height - y;
}

function outline(left: number, top: number, width: number, height: number, radius: number): string {
  const bottom = flip(top + height);
  const r = Math.min(radius, width / 2, height / 2);
  if (r <= 0) return `${numbers(left, bottom, width, height)} re`;
  // The distance at which a cubic curve comes closest to a quarter of a circle.
  const k = r * 0.4477;
  const right = left + width;
  const upper = bottom + height;
  return [
    `${numbers(left + r, bottom)} m`,
    `${numbers(right - r, bottom)} l ${numbers(right - k, bottom, right, bottom + k, right, bottom + r)} c`,
    `${numbers(right, upper - r)} l ${numbers(right, upper - k, right - k, upper, right - r, upper)} c`,
    `${numbers(left + r, upper)} l ${numbers(left + k, upper, left, upper - k, left, upper - r)} c`,
    `${numbers(left, bottom + r)} l ${numbers(left, bottom + k, left + k, bottom, left + r, bottom)} c h`,
  ].join(" ");
}
