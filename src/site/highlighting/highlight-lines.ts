// Highlights code: keywords, strings, numbers, comments and names get classes of the stylesheet.

import { escapeHtml, Markup } from "../../utils/html";
import { findHighlightLanguage, type TokenKind } from "./languages";

/** Returns highlighted lines of code, or undefined if the language is not known. */
export function highlightLines(lines: readonly string[], syntax: string): Markup[] | undefined {
  const language = findHighlightLanguage(syntax);
  if (!language) return undefined;
  const code = lines.join("\n");
  const highlighted: string[] = [];
  let line = "";
  // A comment or a string may span several lines, and every line is an element of its own.
  const write = (token: string, tokenClass: string | undefined) => {
    token.split("\n").forEach((part, i) => {
      if (i > 0) {
        highlighted.push(line);
        line = "";
      }
      const text = escapeHtml(part);
      line += tokenClass === undefined || part === "" ? text : `<span class="t-${tokenClass}">${text}</span>`;
    });
  };
  let end = 0;
  for (const match of code.matchAll(language.tokens)) {
    const [token] = match;
    const kind = language.kinds[match.findIndex((group, i) => i > 0 && group !== undefined) - 1] as TokenKind;
    let tokenClass: string | undefined = kind === "-" ? undefined : kind;
    if (kind === "w" || kind === "x") {
      const word = language.ignoresCase ? token.toLowerCase() : token;
      const isName = language.hasNames && (code[match.index + token.length] === "(" || /^[A-Z]\w*[a-z]/.test(token));
      if (language.keywords.has(word)) tokenClass = "k";
      else if (language.literals.has(word)) tokenClass = "n";
      else tokenClass = kind === "x" || isName ? "f" : undefined;
    }
    if (tokenClass === undefined) continue;
    write(code.slice(end, match.index), undefined);
    write(token, tokenClass);
    end = match.index + token.length;
  }
  write(code.slice(end), undefined);
  return [...highlighted, line].map((markup) => new Markup(markup));
}
