// Highlights code: keywords, strings, numbers, comments and names get classes of the stylesheet.

import { escapeHtml, Markup } from "../../utils/html";
import { findHighlightLanguage, type HighlightedLanguage, type TokenKind } from "./languages";

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
    const tokenClass = getTokenClass(match, language);
    if (tokenClass === undefined) continue;
    write(code.slice(end, match.index), undefined);
    write(match[0], tokenClass);
    end = match.index + match[0].length;
  }
  write(code.slice(end), undefined);
  return [...highlighted, line].map((markup) => new Markup(markup));
}

/** Returns the class of a token, or undefined if it is not highlighted. */
function getTokenClass(match: RegExpExecArray, language: HighlightedLanguage): string | undefined {
  const kind = language.kinds[match.findIndex((group, i) => i > 0 && group !== undefined) - 1] as TokenKind;
  if (kind === "-") return undefined;
  if (kind !== "w" && kind !== "x") return kind;
  const [word] = match;
  const keyword = language.ignoresCase ? word.toLowerCase() : word;
  if (language.keywords.has(keyword)) return "k";
  if (language.literals.has(keyword)) return "n";
  if (kind === "x") return "f";
  const isName = language.hasNames && (match.input[match.index + word.length] === "(" || /^[A-Z]\w*[a-z]/.test(word));
  return isName ? "f" : undefined;
}
