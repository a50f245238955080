// Formats texts of a specification as Markdown. The format defines descriptions as Markdown; everything else is plain text.

import { tryParseUrl } from "../../utils/url";

/** The most characters of a text in a line. */
const MAX_LINE = 2000;

/** Returns a text as one line of Markdown, in which no character has a meaning. */
export function escapeInlineText(text: string): string {
  return text
    .slice(0, MAX_LINE)
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[\\`*_{}[\]<>#|~$!&]/g, "\\$&")
    .trim();
}

/** Returns the beginning of a text in one line; undefined if it is empty. */
export function truncateWords(text: string | undefined, most: number): string | undefined {
  const words =
    text
      ?.slice(0, 20 * most)
      .replaceAll(/\s+/g, " ")
      .trim() ?? "";
  if (words === "") return undefined;
  return words.length <= most ? words : `${words.slice(0, most - 1).trimEnd()}…`;
}

/** Returns a text as code in a line, whatever characters it contains. */
export function formatCode(text: string): string {
  const line = text.slice(0, 1000).replaceAll(/\s+/g, " ").trim();
  if (line === "") return "";
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  const gap = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${gap}${line}${gap}${fence}`;
}

/** Returns a link to a web address. Any other address is returned as code. */
export function formatLink(words: string, address: string): string {
  const url = tryParseUrl(address.trim());
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return formatCode(address);
  return `[${escapeInlineText(words)}](${url.href
    .replaceAll(/[()<>\\\s]/g, encodeURIComponent)
    .replaceAll("(", "%28")
    .replaceAll(")", "%29")})`;
}

export function formatCodeBlock(language: string, text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Joins blocks with empty lines. Empty blocks are left out. */
export function joinBlocks(parts: readonly (string | undefined)[]): string {
  return `${parts.filter((part) => part !== undefined && part !== "").join("\n\n")}\n`;
}
