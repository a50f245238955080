// The fonts of one printing: for every character the first font that has it, in the order style, plain style,
// fallbacks, standard fonts. Fonts are loaded before a text is set, and only if it needs them.

import { EmojiFace } from "../emoji/face";
import { loadEmoji, mayBeEmoji } from "../emoji/read";
import { dictionary, refer } from "../file/syntax";
import type { PdfWriter } from "../file/writer";
import { EmbeddedFace } from "./embedded";
import { type Face, type Glyphs, REMEMBERED } from "./face";
import type { FontRole, LoadableFont } from "./sources";
import { StandardFace, type StandardName } from "./standard";

/** How a text wants to look, as far as the choice of a font goes. */
export interface FontStyle {
  readonly isMono: boolean;
  readonly isBold: boolean;
  readonly isItalic: boolean;
}

/** A font for a character, and what has to be imitated of the style. */
export interface Choice {
  readonly face: Face;
  /** The strokes are made stronger. */
  readonly thickens: boolean;
  /** The letters are slanted. */
  readonly slants: boolean;
  /** Only the edges of the letters are drawn. */
  readonly outlines?: boolean;
}

/** A word that is set in one font. */
export interface SetWord {
  readonly choice: Choice;
  readonly glyphs: Glyphs;
}

/** A font that a style can be set in. */
interface Link {
  readonly font: LoadableFont | StandardName;
  readonly thickens: boolean;
  readonly slants: boolean;
}

/** For every role its fonts; made once for all printings. */
export type FontShelf = Readonly<Record<FontRole, readonly LoadableFont[]>>;

/** A shelf without fonts: everything is set in the standard ones. */
export const EMPTY_SHELF: FontShelf = {
  sans: [],
  sansBold: [],
  sansItalic: [],
  sansBoldItalic: [],
  mono: [],
  monoBold: [],
  fallbacks: [],
};

/** The fonts of one printing. */
export class Typeset {
  readonly #chains = new Map<number, readonly Link[]>();
  readonly #faces = new Map<LoadableFont | StandardName, EmbeddedFace | StandardFace>();
  readonly #links = new Map<Link, Choice>();
  readonly #choices = new Map<number, Map<number, Choice | undefined>>();
  readonly #words = new Map<number, Map<string, SetWord | undefined>>();
  readonly #covered = new Set<number>();
  #emoji: Choice | undefined;

  /** Whether a text had a character that could not be printed. */
  hasGaps = false;

  constructor(shelf: FontShelf) {
    for (const isMono of [false, true])
      for (const isBold of [false, true])
        for (const isItalic of [false, true]) {
          const style = { isMono, isBold, isItalic };
          this.#chains.set(styleNumber(style), chain(shelf, style));
          this.#choices.set(styleNumber(style), new Map());
          this.#words.set(styleNumber(style), new Map());
        }
  }

  /** Loads the fonts that a text needs. For a character that no font has, `choose` gives undefined. */
  async cover(text: string): Promise<void> {
    for (const character of text) {
      const codePoint = character.codePointAt(0)!;
      if (this.#covered.has(codePoint)) continue;
      this.#covered.add(codePoint);
      for (const links of this.#chains.values()) await this.#coverIn(links, codePoint);
      if (!this.#emoji && mayBeEmoji(codePoint) && !this.#hasOwn(codePoint)) {
        this.#emoji = { face: new EmojiFace(await loadEmoji(), "E"), thickens: false, slants: false };
      }
    }
  }

  /** Whether a font that was given has a character. */
  #hasOwn(codePoint: number): boolean {
    const { face } = this.choose({ isMono: false, isBold: false, isItalic: false }, codePoint) ?? {};
    return face !== undefined && !(face instanceof StandardFace);
  }

  /** The font for a character of a covered text that is an emoji: the host's, if that has one. */
  emoji(style: FontStyle, codePoint: number): Choice | undefined {
    const chosen = this.choose(style, codePoint);
    if (chosen && !(chosen.face instanceof StandardFace)) return chosen;
    return this.#emoji?.face.has(codePoint) ? this.#emoji : chosen;
  }

  async #coverIn(links: readonly Link[], codePoint: number): Promise<void> {
    for (const { font } of links) {
      if (typeof font !== "string" && !this.#faces.has(font)) {
        if (!font.mayHave(codePoint)) continue;
        const loaded = await font.load();
        this.#add(font, (resource) => new EmbeddedFace(loaded, resource, font.role.startsWith("mono")));
      }
      if (this.#face(font)?.has(codePoint)) return;
    }
  }

  /** The font for a character of a covered text, or undefined when there is none. */
  choose(style: FontStyle, codePoint: number): Choice | undefined {
    const number = styleNumber(style);
    const choices = this.#choices.get(number)!;
    if (!choices.has(codePoint)) {
      const link = this.#chains.get(number)!.find(({ font }) => this.#face(font)?.has(codePoint));
      choices.set(codePoint, link && this.#choiceOf(link));
    }
    return choices.get(codePoint);
  }

  /** A word as it is set in a style, if one font has all of it; texts repeat their words. */
  remembered(style: FontStyle, word: string, find: () => Choice | undefined): SetWord | undefined {
    const words = this.#words.get(styleNumber(style))!;
    const known = words.get(word);
    if (known !== undefined || words.has(word)) return known;
    if (words.size >= REMEMBERED) words.clear();
    const choice = find();
    const found = choice && { choice, glyphs: choice.face.set(word, false) };
    words.set(word, found);
    return found;
  }

  /** A standard font by its name, for those who choose themselves. */
  standard(name: StandardName): Choice {
    return { face: this.#face(name)!, thickens: false, slants: false };
  }

  /** The same object for all characters of a font in a style: text is cut where it changes. */
  #choiceOf(link: Link): Choice {
    let choice = this.#links.get(link);
    if (!choice) {
      choice = { face: this.#face(link.font)!, thickens: link.thickens, slants: link.slants };
      this.#links.set(link, choice);
    }
    return choice;
  }

  /** Writes every font that was used: the dictionary of them. */
  write(writer: PdfWriter): string {
    const used = [...this.#faces.values()].filter(({ isUsed }) => isUsed);
    const emoji = this.#emoji?.face as EmojiFace | undefined;
    return dictionary({
      ...Object.fromEntries(used.map((face) => [face.resource, refer(face.write(writer))])),
      ...emoji?.write(writer),
    });
  }

  #face(font: LoadableFont | StandardName): Face | undefined {
    if (typeof font === "string" && !this.#faces.has(font))
      this.#add(font, (resource) => new StandardFace(font, resource));
    return this.#faces.get(font);
  }

  #add(font: LoadableFont | StandardName, make: (resource: string) => EmbeddedFace | StandardFace): void {
    if (!this.#faces.has(font)) this.#faces.set(font, make(`F${this.#faces.size + 1}`));
  }
}

function styleNumber({ isMono, isBold, isItalic }: FontStyle): number {
  return (isMono ? 4 : 0) + (isBold ? 2 : 0) + (isItalic ? 1 : 0);
}

/** The fonts that a style is looked for in, best first. */
function chain(shelf: FontShelf, style: FontStyle): Link[] {
  const { isMono, isBold, isItalic } = style;
  const from = (role: FontRole): Link[] =>
    shelf[role].map((font) => ({
      font,
      thickens: isBold && !role.includes("Bold"),
      slants: isItalic && !role.includes("Italic"),
    }));
  const own = (isMono ? monoRoles(style) : sansRoles(style)).flatMap(from);
  const standard: Link = { font: standardName(style), thickens: false, slants: false };
  const signs = (["Symbol", "ZapfDingbats"] as const).map((font) => ({ font, thickens: false, slants: false }));
  const first = own.length > 0 ? own : [standard];
  return [...first, ...(isMono ? sansRoles(style).flatMap(from) : []), ...from("fallbacks"), standard, ...signs];
}

function sansRoles({ isBold, isItalic }: FontStyle): FontRole[] {
  if (isBold && isItalic) return ["sansBoldItalic", "sansBold", "sansItalic", "sans"];
  if (isBold) return ["sansBold", "sans"];
  return isItalic ? ["sansItalic", "sans"] : ["sans"];
}

function monoRoles({ isBold }: FontStyle): FontRole[] {
  return isBold ? ["monoBold", "mono"] : ["mono"];
}

function standardName({ isMono, isBold, isItalic }: FontStyle): StandardName {
  const family = isMono ? "Courier" : "Helvetica";
  const style = `${isBold ? "Bold" : ""}${isItalic ? "Oblique" : ""}` as "" | "Bold" | "Oblique" | "BoldOblique";
  return style ? `${family}-${style}` : family;
}
