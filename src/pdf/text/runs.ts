// Text set in fonts: cut where the font changes, with substitutes for what no font has.

import { isAlwaysEmoji } from "../emoji/read";
import type { Sheet } from "../file/sheet";
import type { GlyphPart } from "../fonts/face";
import type { Choice, SetWord, Typeset } from "../fonts/typeset";
import type { TextStyle } from "./items";
import { substitutesFor } from "./substitutes";

/** The width of the box for a character that cannot be printed, as a part of the size. */
const BOX = 0.62;

/** No character up to this one joins the one before it. */
const LAST_LETTER = 0x2ff;

/** Asks for the character before it to be an emoji. */
const AS_EMOJI = "\ufe0f";

/** How much smaller raised and lowered text is. */
const SMALLER = 0.68;

/** Glyphs of one font and style that stand beside one another. Without a choice, characters that cannot be printed. */
export interface Run {
  readonly style: TextStyle;
  readonly choice: Choice | undefined;
  /** Odd where it runs from right to left. */
  readonly level: number;
  readonly parts: readonly GlyphPart[];
  readonly missing: string;
  readonly width: number;
}

/** Sets a text that has no line breaks in it. */
export function setRuns(typeset: Typeset, text: string, style: TextStyle, level = 0): Run[] {
  const only = typeset.remembered(style, text, () => onlyChoice(typeset, text, style));
  if (only) return [level % 2 === 1 ? setRun(only.choice, text, style, level) : runOf(only, style, level)];
  const runs: Run[] = [];
  let choice: Choice | undefined;
  let same = "";
  const flush = () => {
    if (same) runs.push(setRun(choice, same, style, level));
    same = "";
  };
  const add = (next: Choice | undefined, characters: string) => {
    if (next !== choice) flush();
    choice = next;
    same += characters;
  };
  let at = 0;
  for (const character of text) {
    at += character.length;
    if (character === "\u200b" || character === AS_EMOJI) continue;
    const codePoint = character.codePointAt(0)!;
    const isEmoji = codePoint > LAST_LETTER && (text[at] === AS_EMOJI || isAlwaysEmoji(character));
    // Marks and joiners stay with the letter before them if its font has them, because in another font they would not
    // join.
    const belongs = choice && same && codePoint > LAST_LETTER && /[\p{M}\u200c\u200d]/u.test(character);
    if (belongs && choice!.face.has(codePoint)) same += character;
    else {
      const next = isEmoji ? typeset.emoji(style, codePoint) : typeset.choose(style, codePoint);
      if (next) add(next, character);
      else if (character !== "\u200c" && character !== "\u200d") substitute(typeset, character, style, add);
    }
  }
  flush();
  return runs;
}

/** The font of a text that needs only one, as most words do. Only letters that stand alone are looked at. */
function onlyChoice(typeset: Typeset, text: string, style: TextStyle): Choice | undefined {
  let only: Choice | undefined;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const choice = code > LAST_LETTER ? undefined : typeset.choose(style, code);
    if (!choice || (only && choice !== only)) return undefined;
    only = choice;
  }
  return only;
}

function substitute(
  typeset: Typeset,
  character: string,
  style: TextStyle,
  add: (choice: Choice | undefined, characters: string) => void,
): void {
  for (const instead of substitutesFor(character)) {
    const choices = [...instead].map((each) => [typeset.choose(style, each.codePointAt(0)!), each] as const);
    if (choices.every(([choice]) => choice !== undefined)) {
      for (const [choice, each] of choices) add(choice, each);
      return;
    }
  }
  const drawn = typeset.emoji(style, character.codePointAt(0)!);
  if (!drawn) typeset.hasGaps = true;
  add(drawn, character);
}

function setRun(choice: Choice | undefined, text: string, style: TextStyle, level: number): Run {
  if (!choice) {
    return { style, choice, level, parts: [], missing: text, width: [...text].length * BOX * sizeOf(style) };
  }
  return runOf({ choice, glyphs: choice.face.set(text, level % 2 === 1) }, style, level);
}

function runOf({ choice, glyphs: { parts, width } }: SetWord, style: TextStyle, level: number): Run {
  return { style, choice, level, parts, missing: "", width: (width * sizeOf(style)) / 1000 };
}

/** Whether two runs that follow one another can be one. */
export function areOfOneKind(first: Run, second: Run): boolean {
  return first.style === second.style && first.choice === second.choice && first.level === second.level;
}

/** Runs of one kind that follow one another, as one. */
export function joined(runs: readonly Run[]): Run {
  const [first] = runs as [Run];
  if (runs.length === 1) return first;
  const { style, choice, level } = first;
  const shown = level % 2 === 1 ? [...runs].reverse() : runs;
  let [missing, width] = ["", 0];
  for (const run of shown) {
    missing += run.missing;
    width += run.width;
  }
  const codes = plainCodes(shown);
  const parts = codes === undefined ? joinedParts(shown.flatMap((run) => run.parts)) : [{ codes, rise: 0 }];
  return { style, choice, level, parts, missing, width };
}

/** The codes of runs that have one part each, of the face itself and at no other height, as nearly all have. */
function plainCodes(runs: readonly Run[]): string | undefined {
  let codes = "";
  for (const { parts } of runs) {
    const [part] = parts;
    if (parts.length !== 1 || part!.rise !== 0 || part!.font !== undefined) return undefined;
    codes += codes === "" ? part!.codes : ` ${part!.codes}`;
  }
  return codes.replaceAll("> <", "");
}

/** Parts of one height and font that stand beside one another become one. */
function joinedParts(parts: readonly GlyphPart[]): GlyphPart[] {
  const all: GlyphPart[] = [];
  for (let at = 0; at < parts.length; ) {
    const part = parts[at]!;
    const codes: string[] = [];
    for (let each = parts[at]; each && each.rise === part.rise && each.font === part.font; each = parts[++at])
      codes.push(each.codes);
    all.push(codes.length === 1 ? part : { ...part, codes: codes.join(" ").replaceAll("> <", "") });
  }
  return all;
}

/** Draws a run; `y` is the base line. */
export function drawRun(sheet: Sheet, run: Run, x: number, y: number): void {
  const { style, choice, parts, missing, width } = run;
  const size = sizeOf(style);
  const base = y - (style.shift === "super" ? style.size * 0.36 : style.shift === "sub" ? -style.size * 0.14 : 0);
  if (choice) sheet.text(x, base, { choice, parts, size, colour: style.colour });
  else sheet.boxes(x, base, missing, size, style.colour, BOX * size);
  if (style.isStruck) {
    const middle = base - size * 0.3;
    sheet.line(
      [
        [x, middle],
        [x + width, middle],
      ],
      style.colour,
      size / 14,
    );
  }
}

function sizeOf({ size, shift }: TextStyle): number {
  return shift ? size * SMALLER : size;
}
