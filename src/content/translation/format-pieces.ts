// Writes pieces as Markdown, on one line except for hard line breaks. Words are escaped where they could be syntax; everything around them
// keeps its bytes.

import { escapeAttribute, escapeHtml, escapeMarkdown } from "../markdown/escape";
import { classifyCharacter } from "../markdown/syntax";
import { createWords, type Piece } from "./pieces";

export type PiecePlace = "paragraph" | "heading" | "cell" | "html" | "plain" | "title" | "attribute" | "argument";

export function formatPieces(pieces: readonly Piece[], place: PiecePlace): string {
  const [, trimmed] = trimPieces(pieces);
  const text = formatInContext(trimmed, { place, before: place === "cell" ? " " : "", isInLink: false });
  return place === "heading" ? text.replace(/(^|[ \t])(#+)$/, "$1\\$2") : text;
}

interface PieceContext {
  readonly place: PiecePlace;
  /** The character before the pieces; empty at the beginning. */
  readonly before: string;
  readonly isInLink: boolean;
}

/** The escapes of words in places that are not Markdown. */
const ESCAPES: ReadonlyMap<PiecePlace, (text: string) => string> = new Map([
  ["plain", (text: string) => text],
  ["html", escapeHtml],
  ["attribute", escapeAttribute],
  ["title", (text: string) => text.replace(/["\\&]/g, "\\$&")],
  ["argument", (text: string) => text.replace(/["\\]/g, "\\$&")],
]);

function formatInContext(pieces: readonly Piece[], context: PieceContext): string {
  const parts: string[] = [];
  const { place, isInLink } = context;
  let { before } = context;
  for (const [i, piece] of pieces.entries()) {
    // The first character of the following pieces; empty at the end.
    const nextTexts = pieces
      .slice(i + 1, i + 4)
      .map((it) => (it.kind === "words" ? it.text : it.kind === "atom" ? it.source : it.open + it.close));
    const [next = ""] = nextTexts.find((it) => it !== "") ?? "";
    let text: string;
    if (piece.kind === "words") {
      let words = isLineBreak(pieces[i - 1]) ? piece.text.trimStart() : piece.text;
      if (isLineBreak(pieces[i + 1])) words = words.trimEnd();
      const escapeText = ESCAPES.get(place);
      if (escapeText) text = escapeText(words);
      else if (place === "cell")
        text = words
          .split("|")
          .map((part) => escapeMarkdown(part, { before: before || " ", isFollowed: true, isInLink }))
          .join("\\|");
      else text = escapeMarkdown(words, { before, isFollowed: i < pieces.length - 1, isInLink });
    } else if (piece.kind === "group") {
      const isEmphasis = piece.type === "emphasis";
      // Emphasis must not have spaces at its ends.
      const [lead, inner, trail] = isEmphasis ? trimPieces(piece.pieces) : ["", piece.pieces, ""];
      const content = formatInContext(inner, {
        place,
        before: piece.open.at(-1) ?? before,
        isInLink: isInLink || piece.type === "link",
      });
      let { open, close } = piece;
      if (isEmphasis) {
        // Beside letters, emphasis is recognized only with asterisks and only if its ends are letters.
        const isLetter = (character: string | undefined) => classifyCharacter(character || undefined) === "other";
        const [isAfterLetter, isBeforeLetter] = [isLetter(lead || before), isLetter(trail || next)];
        if (isAfterLetter || isBeforeLetter) [open, close] = [open.replaceAll("_", "*"), close.replaceAll("_", "*")];
        const [first] = content;
        if (isAfterLetter && !isLetter(first)) open = ` ${open}`;
        if (isBeforeLetter && !isLetter([...content.slice(-2)].at(-1))) close += " ";
      }
      text = lead + open + content + close + trail;
    } else if (piece.isBareUrl) {
      // A URL ends at a space, or at a mark that ends a sentence.
      const lead = before === "" || /[\s(*_~]/.test(before) ? "" : " ";
      const trail = next === "" || /[\s.,;:!?)<]/.test(next) ? "" : " ";
      text = lead + piece.source + trail;
    } else {
      // Two adjacent pieces of code would become one.
      text = before === "`" && piece.source.startsWith("`") ? ` ${piece.source}` : piece.source;
    }
    parts.push(text);
    before = [...text.slice(-2)].at(-1) ?? before;
  }
  return parts.join("");
}

/** A hard line break has its own spaces before it, and none after it. */
function isLineBreak(piece: Piece | undefined): boolean {
  return piece?.kind === "atom" && /^(?:\\| *)[\r\n]/.test(piece.source);
}

/** Removes the spaces at the ends of pieces. Returns these spaces as well, each as one. */
function trimPieces(pieces: readonly Piece[]): readonly [lead: string, Piece[], trail: string] {
  const trimmed = [...pieces];
  let [lead, trail] = ["", ""];
  for (let first = trimmed[0]; first?.kind === "words"; first = trimmed[0]) {
    const text = first.text.trimStart();
    if (text !== first.text) lead = " ";
    trimmed[0] = createWords(text);
    if (text !== "") break;
    trimmed.shift();
  }
  for (let last = trimmed.at(-1); last?.kind === "words"; last = trimmed.at(-1)) {
    const text = last.text.trimEnd();
    if (text !== last.text) trail = " ";
    trimmed[trimmed.length - 1] = createWords(text);
    if (text !== "") break;
    trimmed.pop();
  }
  return [lead, trimmed, trail];
}
