// What is printed in place of a character that no font has: the same letter without its marks, or plain characters that are
// read as the same. What has no substitute is drawn as an empty box.

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

/** What a character may be replaced by, best first. */
export function substitutesFor(character: string): string[] {
  const plain = character.normalize("NFKD").replace(/\p{M}/gu, "");
  return [SUBSTITUTES.get(character), plain].filter((text): text is string => Boolean(text) && text !== character);
}
