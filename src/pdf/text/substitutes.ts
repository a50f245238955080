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

/** The substitutes of characters. */
export const SUBSTITUTES = new Map([
  ...Object.entries(SIGNS),
  ...FRAMES.flatMap(([characters, substitute]) => [...characters].map((character) => [character, substitute] as const)),
]);
