// The fonts of one document. The font of a character is the first one that has it, in this order: the style, the plain style,
// the fallbacks, the standard fonts. Fonts are loaded before a text is shaped, and only if it needs them.

import { loadEmojiDrawings } from "../emoji/drawings-by-name";
import { EmojiFace } from "../emoji/face";
import { formatDictionary, formatReference } from "../file/syntax";
import type { PdfWriter } from "../file/writer";
import { EmbeddedFace } from "./embedded";
import { type Face, MAX_CACHED_WORDS, type ShapedText } from "./face";
import type { FontRole, LoadableFont } from "./sources";
import { StandardFace, type StandardName } from "./standard";

/** The part of a text style that determines the font. */
export interface FontStyle {
  readonly isMono: boolean;
  readonly isBold: boolean;
  readonly isItalic: boolean;
}

/** The font of a character, and the styles that have to be simulated. */
export interface FontChoice {
  readonly face: Face;
  /** Simulates bold. */
  readonly thickens: boolean;
  /** Simulates italics. */
  readonly slants: boolean;
  /** Draws only the outlines of the letters. */
  readonly outlines?: boolean;
}

export interface ShapedWord {
  readonly choice: FontChoice;
  readonly glyphs: ShapedText;
}

interface FontCandidate {
  readonly font: LoadableFont | StandardName;
  readonly thickens: boolean;
  readonly slants: boolean;
}

/** The fonts of each role, for all documents of a printer. */
export type FontCatalog = Readonly<Record<FontRole, readonly LoadableFont[]>>;

/** A catalog without fonts, so that only the standard fonts are used. */
export const EMPTY_CATALOG: FontCatalog = {
  sans: [],
  sansBold: [],
  sansItalic: [],
  sansBoldItalic: [],
  mono: [],
  monoBold: [],
  fallbacks: [],
};

/** A character that can be an emoji, or a part of one. Letters, digits and most signs come before the first of them. */
const EMOJI_PART = /[\p{Extended_Pictographic}\p{Emoji_Component}]/u;
const LAST_TEXT_CHARACTER = 0x2000;

export class Typeset {
  readonly #candidates = new Map<number, readonly FontCandidate[]>();
  readonly #faces = new Map<LoadableFont | StandardName, EmbeddedFace | StandardFace>();
  readonly #choicesByCandidate = new Map<FontCandidate, FontChoice>();
  readonly #choices = new Map<number, Map<number, FontChoice | undefined>>();
  readonly #words = new Map<number, Map<string, ShapedWord | undefined>>();
  readonly #loadedCharacters = new Set<number>();
  #emoji: FontChoice | undefined;

  /** Becomes true when a text has a character that no font has. */
  hasGaps = false;

  constructor(catalog: FontCatalog) {
    for (const isMono of [false, true])
      for (const isBold of [false, true])
        for (const isItalic of [false, true]) {
          const style = { isMono, isBold, isItalic };
          this.#candidates.set(toStyleIndex(style), listCandidates(catalog, style));
          this.#choices.set(toStyleIndex(style), new Map());
          this.#words.set(toStyleIndex(style), new Map());
        }
  }

  async loadFontsFor(text: string): Promise<void> {
    for (const character of text) {
      const codePoint = character.codePointAt(0)!;
      if (this.#loadedCharacters.has(codePoint)) continue;
      this.#loadedCharacters.add(codePoint);
      for (const candidates of this.#candidates.values()) await this.#loadFirstFont(candidates, codePoint);
      const canBeEmoji = codePoint > LAST_TEXT_CHARACTER && EMOJI_PART.test(character);
      if (!this.#emoji && canBeEmoji && !this.#hasHostFont(codePoint)) {
        this.#emoji = { face: new EmojiFace(await loadEmojiDrawings(), "E"), thickens: false, slants: false };
      }
    }
  }

  #hasHostFont(codePoint: number): boolean {
    const { face } = this.chooseFont({ isMono: false, isBold: false, isItalic: false }, codePoint) ?? {};
    return face !== undefined && !(face instanceof StandardFace);
  }

  /** Returns the font for an emoji whose fonts are loaded. Fonts of the host come first. */
  chooseEmojiFont(style: FontStyle, codePoint: number): FontChoice | undefined {
    const chosen = this.chooseFont(style, codePoint);
    if (chosen && !(chosen.face instanceof StandardFace)) return chosen;
    return this.#emoji?.face.has(codePoint) ? this.#emoji : chosen;
  }

  async #loadFirstFont(candidates: readonly FontCandidate[], codePoint: number): Promise<void> {
    for (const { font } of candidates) {
      if (typeof font !== "string" && !this.#faces.has(font)) {
        if (!font.mayHave(codePoint)) continue;
        const loaded = await font.load();
        this.#addFace(font, (resource) => new EmbeddedFace(loaded, resource, font.role.startsWith("mono")));
      }
      if (this.#getFace(font)?.has(codePoint)) return;
    }
  }

  /** Returns the font for a character whose fonts are loaded, or undefined if no font has it. */
  chooseFont(style: FontStyle, codePoint: number): FontChoice | undefined {
    const number = toStyleIndex(style);
    const choices = this.#choices.get(number)!;
    if (!choices.has(codePoint)) {
      const candidate = this.#candidates.get(number)!.find(({ font }) => this.#getFace(font)?.has(codePoint));
      choices.set(codePoint, candidate && this.#toChoice(candidate));
    }
    return choices.get(codePoint);
  }

  /** Shapes a word in a style if one font has all of its characters. Words are cached, because texts repeat them. */
  shapeWord(style: FontStyle, word: string, find: () => FontChoice | undefined): ShapedWord | undefined {
    const words = this.#words.get(toStyleIndex(style))!;
    const known = words.get(word);
    if (known !== undefined || words.has(word)) return known;
    if (words.size >= MAX_CACHED_WORDS) words.clear();
    const choice = find();
    const found = choice && { choice, glyphs: choice.face.shape(word, false) };
    words.set(word, found);
    return found;
  }

  getStandardFont(name: StandardName): FontChoice {
    return { face: this.#getFace(name)!, thickens: false, slants: false };
  }

  /** Returns the same object for all characters of a font in a style, because text is split where it changes. */
  #toChoice(candidate: FontCandidate): FontChoice {
    let choice = this.#choicesByCandidate.get(candidate);
    if (!choice) {
      choice = { face: this.#getFace(candidate.font)!, thickens: candidate.thickens, slants: candidate.slants };
      this.#choicesByCandidate.set(candidate, choice);
    }
    return choice;
  }

  /** Writes the fonts that were used, and returns their dictionary. */
  write(writer: PdfWriter): string {
    const used = [...this.#faces.values()].filter(({ isUsed }) => isUsed);
    const emoji = this.#emoji?.face as EmojiFace | undefined;
    return formatDictionary({
      ...Object.fromEntries(used.map((face) => [face.resource, formatReference(face.write(writer))])),
      ...emoji?.write(writer),
    });
  }

  #getFace(font: LoadableFont | StandardName): Face | undefined {
    if (typeof font === "string" && !this.#faces.has(font))
      this.#addFace(font, (resource) => new StandardFace(font, resource));
    return this.#faces.get(font);
  }

  #addFace(font: LoadableFont | StandardName, make: (resource: string) => EmbeddedFace | StandardFace): void {
    if (!this.#faces.has(font)) this.#faces.set(font, make(`F${this.#faces.size + 1}`));
  }
}

function toStyleIndex({ isMono, isBold, isItalic }: FontStyle): number {
  return (isMono ? 4 : 0) + (isBold ? 2 : 0) + (isItalic ? 1 : 0);
}

function listCandidates(catalog: FontCatalog, style: FontStyle): FontCandidate[] {
  const { isMono, isBold, isItalic } = style;
  const from = (role: FontRole): FontCandidate[] =>
    catalog[role].map((font) => ({
      font,
      thickens: isBold && !role.includes("Bold"),
      slants: isItalic && !role.includes("Italic"),
    }));
  const sansRoles = (["sansBoldItalic", "sansBold", "sansItalic", "sans"] as const).filter(
    (role) => (isBold || !role.includes("Bold")) && (isItalic || !role.includes("Italic")),
  );
  const monoRoles: FontRole[] = isBold ? ["monoBold", "mono"] : ["mono"];
  const own = (isMono ? monoRoles : sansRoles).flatMap(from);
  const family = isMono ? "Courier" : "Helvetica";
  const suffix = `${isBold ? "Bold" : ""}${isItalic ? "Oblique" : ""}` as "" | "Bold" | "Oblique" | "BoldOblique";
  const standard: FontCandidate = { font: suffix ? `${family}-${suffix}` : family, thickens: false, slants: false };
  const signs = (["Symbol", "ZapfDingbats"] as const).map((font) => ({ font, thickens: false, slants: false }));
  const first = own.length > 0 ? own : [standard];
  return [...first, ...(isMono ? sansRoles.flatMap(from) : []), ...from("fallbacks"), standard, ...signs];
}
