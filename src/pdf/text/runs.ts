// The items of a paragraph, and text that is shaped with fonts: cut where the font changes, with substitutes for characters that no font has.

import type { Sheet } from "../file/sheet";
import type { GlyphPart, ShapedText } from "../fonts/face";
import type { FontChoice, FontStyle, Typeset } from "../fonts/typeset";
import type { PdfLinkTarget } from "../targets";
import { COLORS, type PdfColor, type TextSize } from "../theme";

export interface TextStyle extends FontStyle {
  readonly size: number;
  readonly color: PdfColor;
  readonly background?: PdfColor | undefined;
  readonly target?: PdfLinkTarget | undefined;
  readonly isStruckThrough?: boolean;
  /** Superscript or subscript, in a smaller size. */
  readonly shift?: "super" | "sub";
}

/** Text with one style throughout. "\n" begins a new line. */
interface TextItem {
  readonly text: string;
  readonly style: TextStyle;
}

/** A box that is placed on the base line like a letter. */
export interface BoxItem {
  readonly width: number;
  readonly height: number;
  /** The part below the base line. Default: 0. */
  readonly depth?: number;
  readonly target?: PdfLinkTarget | undefined;
  draw(sheet: Sheet, left: number, top: number): void;
}

export type InlineItem = TextItem | BoxItem;

export function createTextStyle({ size }: TextSize, changes: Partial<TextStyle> = {}): TextStyle {
  return { isMono: false, isBold: false, isItalic: false, size, color: COLORS.ink, ...changes };
}

/** The width of the box for a character that cannot be printed, as a part of the size. */
const BOX = 0.62;

/** No character up to this one joins the one before it. */
const LAST_LETTER = 0x2ff;

/** The variation selector that shows the character before it as an emoji. */
const AS_EMOJI = "\ufe0f";

/** The relative size of superscript and subscript. */
const SMALLER = 0.68;

/** Consecutive glyphs of one font and style. Without a choice, these are characters that cannot be printed. */
export interface GlyphRun {
  readonly style: TextStyle;
  readonly choice: FontChoice | undefined;
  /** Odd where it runs from right to left. */
  readonly level: number;
  readonly parts: readonly GlyphPart[];
  readonly missing: string;
  readonly width: number;
}

/** Shapes a text without line breaks. */
export function shapeText(typeset: Typeset, text: string, style: TextStyle, level = 0): GlyphRun[] {
  const only = typeset.shapeWord(style, text, () => {
    // Most words need only one font. Only characters that never combine are considered.
    let single: FontChoice | undefined;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const choice = code > LAST_LETTER ? undefined : typeset.chooseFont(style, code);
      if (!choice || (single && choice !== single)) return undefined;
      single = choice;
    }
    return single;
  });
  // The known glyphs run from left to right.
  if (only) return [shapeRun(only.choice, text, style, level, level % 2 === 1 ? undefined : only.glyphs)];
  const runs: GlyphRun[] = [];
  let choice: FontChoice | undefined;
  let same = "";
  const flush = () => {
    if (same) runs.push(shapeRun(choice, same, style, level));
    same = "";
  };
  const add = (next: FontChoice | undefined, characters: string) => {
    if (next !== choice) flush();
    choice = next;
    same += characters;
  };
  let at = 0;
  for (const character of text) {
    at += character.length;
    if (character === "\u200b" || character === AS_EMOJI) continue;
    const codePoint = character.codePointAt(0)!;
    const isEmoji = codePoint > LAST_LETTER && (text[at] === AS_EMOJI || /^\p{Emoji_Presentation}/u.test(character));
    // Marks and joiners stay with the letter before them if its font has them, because in another font they would not
    // join.
    const belongs = choice && same && codePoint > LAST_LETTER && /[\p{M}\u200c\u200d]/u.test(character);
    if (belongs && choice!.face.has(codePoint)) {
      same += character;
      continue;
    }
    const next = isEmoji ? typeset.chooseEmojiFont(style, codePoint) : typeset.chooseFont(style, codePoint);
    if (next) {
      add(next, character);
      continue;
    }
    if (character === "\u200c" || character === "\u200d") continue;
    // A substitute, or the same letter without its marks.
    const plain = character.normalize("NFKD").replace(/\p{M}/gu, "");
    const substitute = [SUBSTITUTES.get(character), plain]
      .filter((text): text is string => Boolean(text) && text !== character)
      .map((text) => [...text].map((each) => [typeset.chooseFont(style, each.codePointAt(0)!), each] as const))
      .find((choices) => choices.every(([choice]) => choice !== undefined));
    if (substitute) for (const [each, text] of substitute) add(each, text);
    else {
      const emoji = typeset.chooseEmojiFont(style, codePoint);
      if (!emoji) typeset.hasGaps = true;
      add(emoji, character);
    }
  }
  flush();
  return runs;
}

function shapeRun(
  choice: FontChoice | undefined,
  text: string,
  style: TextStyle,
  level: number,
  known?: ShapedText,
): GlyphRun {
  const size = style.shift ? style.size * SMALLER : style.size;
  if (!choice) return { style, choice, level, parts: [], missing: text, width: [...text].length * BOX * size };
  const { parts, width } = known ?? choice.face.shape(text, level % 2 === 1);
  return { style, choice, level, parts, missing: "", width: (width * size) / 1000 };
}

export function mergeRuns(runs: readonly GlyphRun[]): GlyphRun {
  const [first] = runs as [GlyphRun];
  if (runs.length === 1) return first;
  const { style, choice, level } = first;
  const shown = level % 2 === 1 ? [...runs].reverse() : runs;
  let [missing, width] = ["", 0];
  for (const run of shown) {
    missing += run.missing;
    width += run.width;
  }
  // Nearly all runs have one part each, of the face itself and without a rise. Their codes are joined.
  if (shown.every(({ parts: [part], parts }) => parts.length === 1 && part!.rise === 0 && part!.font === undefined)) {
    const codes = shown.map(({ parts: [part] }) => part!.codes);
    return { style, choice, level, parts: [{ codes: codes.join(" ").replaceAll("> <", ""), rise: 0 }], missing, width };
  }
  const all = shown.flatMap((run) => run.parts);
  const parts: GlyphPart[] = [];
  for (let at = 0; at < all.length; ) {
    const part = all[at]!;
    const partCodes: string[] = [];
    for (let next = all[at]; next && next.rise === part.rise && next.font === part.font; next = all[++at])
      partCodes.push(next.codes);
    parts.push(partCodes.length === 1 ? part : { ...part, codes: partCodes.join(" ").replaceAll("> <", "") });
  }
  return { style, choice, level, parts, missing, width };
}

/** Draws a run; `y` is the base line. */
export function drawRun(sheet: Sheet, run: GlyphRun, x: number, y: number): void {
  const { style, choice, parts, missing, width } = run;
  const size = style.shift ? style.size * SMALLER : style.size;
  const base = y - (style.shift === "super" ? style.size * 0.36 : style.shift === "sub" ? -style.size * 0.14 : 0);
  if (choice) sheet.drawText(x, base, { choice, parts, size, color: style.color });
  else sheet.drawMissingCharacters(x, base, missing, size, style.color, BOX * size);
  if (style.isStruckThrough) {
    const middle = base - size * 0.3;
    sheet.drawLine(
      [
        [x, middle],
        [x + width, middle],
      ],
      style.color,
      size / 14,
    );
  }
}

// Substitutes for characters that no font has: the same letter without its marks, or plain characters that read the same.
// A character without a substitute is drawn as an empty box.

const SIGNS: Readonly<Record<string, string>> = {
  "‐": "-",
  "‑": "-",
  "‒": "–",
  "―": "—",
  "−": "-",
  "⁄": "/",
  "∕": "/",
  "‹": "<",
  "›": ">",
  "→": "->",
  "←": "<-",
  "↔": "<->",
  "⇒": "=>",
  "⇐": "<=",
  "⇔": "<=>",
  "↦": "->",
  "⟶": "->",
  "⟵": "<-",
  "≤": "<=",
  "≥": ">=",
  "≠": "!=",
  "≈": "~",
  "◦": "o",
  "▪": "■",
  "▶": "➤",
  "►": "➤",
  "☑": "[x]",
  "☐": "[ ]",
  "☒": "[x]",
  "☆": "✩",
  ı: "i",
  ł: "l",
  Ł: "L",
  đ: "d",
  Đ: "D",
  ħ: "h",
  Ħ: "H",
};

/** Frames in code, one character each, so that columns stay columns. */
const FRAMES: readonly (readonly [characters: string, substitute: string])[] = [
  ["─━┄┅┈┉╌╍═╴╶╸╺", "-"],
  ["│┃┆┇┊┋╎╏║╵╷╹╻", "|"],
  ["├┝┞┟┠┡┢┣╞╟╠", "|"],
  ["└┕┖┗╘╙╚╰", "`"],
  ["┌┍┎┏╒╓╔╭┐┑┒┓╕╖╗╮┘┙┚┛╛╜╝╯┤┥┦┧┨┩┪┫╡╢╣┬┭┮┯┰┱┲┳╤╥╦┴┵┶┷┸┹┺┻╧╨╩┼┽┾┿╀╁╂╃╄╅╆╇╈╉╊╋╪╫╬", "+"],
  ["█▓▒░▀▄▌▐", "#"],
];

const SUBSTITUTES = new Map([
  ...Object.entries(SIGNS),
  ...FRAMES.flatMap(([characters, substitute]) => [...characters].map((character) => [character, substitute] as const)),
]);

// Control characters except tab and line feed, invisible characters except the joiners that scripts and emoji need, marks and
// overrides of direction, non-characters. They would be printed as boxes, or disguise one text as another.
const UNPRINTABLE =
  /(?![\t\n\u200b-\u200d]|\ufe0f)[\p{Cc}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufff9-\ufffc]/gu;

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Most texts need no change, which one quick check finds out. */
const PLAIN = /^[\n\t\x20-\x7e]*$/;

/** Removes unprintable characters from a text. Line breaks stay. */
export function toPrintableText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(LONE_SURROGATE, "\ufffd")
    .replace(/\r\n?|[\u2028\u2029\x85\x0b\x0c]/g, "\n")
    .replace(UNPRINTABLE, "")
    .normalize("NFC");
}

/** Returns a text on one line, cut to a length. */
export function toPrintableLine(text: string, longest: number): string {
  const line = toPrintableText(text.slice(0, longest * 4))
    .replace(/\s+/g, " ")
    .trim();
  const characters = [...line];
  return characters.length <= longest ? line : `${characters.slice(0, longest - 1).join("")}…`;
}
