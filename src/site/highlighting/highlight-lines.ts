// Code as markup: words, texts, numbers, comments and names in classes of the style sheet.

import { escapeHtml, Markup } from "../../utils/html";
import { findHighlightLanguage, type HighlightedLanguage, type TokenKind } from "./languages";

/** The lines of code, marked by their language; undefined when nobody knows it. */
export function highlightLines(lines: readonly string[], syntax: string): Markup[] | undefined {
  const language = findHighlightLanguage(syntax);
  if (!language) return undefined;
  const code = lines.join("\n");
  const marked: string[] = [];
  let text = "";
  const write = (part: string, kind: string | undefined) => {
    // A comment or a text may go over several lines, and every line is an element of its own.
    part.split("\n").forEach((piece, i) => {
      if (i > 0) {
        marked.push(text);
        text = "";
      }
      text +=
        kind === undefined || piece === "" ? escapeHtml(piece) : `<span class="t-${kind}">${escapeHtml(piece)}</span>`;
    });
  };
  let from = 0;
  for (const match of code.matchAll(language.tokens)) {
    const kind = getTokenClass(match, language);
    if (kind === undefined) continue;
    write(code.slice(from, match.index), undefined);
    write(match[0], kind);
    from = match.index + match[0].length;
  }
  write(code.slice(from), undefined);
  return [...marked, text].map((line) => new Markup(line));
}

function getTokenClass(match: RegExpExecArray, language: HighlightedLanguage): string | undefined {
  const kind = language.kinds[match.findIndex((group, i) => i > 0 && group !== undefined) - 1] as TokenKind;
  if (kind === "-") return undefined;
  if (kind !== "w" && kind !== "x") return kind;
  const [word] = match;
  const spelled = language.ignoresCase ? word.toLowerCase() : word;
  if (language.keywords.has(spelled)) return "k";
  if (language.literals.has(spelled)) return "n";
  if (kind === "x") return "f";
  const isName = language.hasNames && (match.input[match.index + word.length] === "(" || /^[A-Z]\w*[a-z]/.test(word));
  return isName ? "f" : undefined;
}
