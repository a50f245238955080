// Texts of a specification in Markdown. The format defines descriptions as Markdown; everything else is plain text.

import { tryParseUrl } from "../../../utils/url";

/** The most characters of a text in a line. */
const MAX_LINE = 2000;

/** A text that stands in a line. */
export function inLine(text: string): string {
  return text
    .slice(0, MAX_LINE)
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[\\`*_{}[\]<>#|~$!&]/g, "\\$&")
    .trim();
}

/** The first words of a description, as a text. */
export function firstWords(text: string | undefined, most: number): string | undefined {
  const words =
    text
      ?.slice(0, 20 * most)
      .replaceAll(/\s+/g, " ")
      .trim() ?? "";
  if (words === "") return undefined;
  return words.length <= most ? words : `${words.slice(0, most - 1).trimEnd()}…`;
}

/** Code in a line, whatever is in it. */
export function code(text: string): string {
  const line = text.slice(0, 1000).replaceAll(/\s+/g, " ").trim();
  if (line === "") return "";
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  const gap = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${gap}${line}${gap}${fence}`;
}

/** Words that lead to an address; the address itself as code where it is none that can be followed. */
export function linked(words: string, address: string): string {
  const url = tryParseUrl(address.trim());
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return code(address);
  return `[${inLine(words)}](${url.href
    .replaceAll(/[()<>\\\s]/g, encodeURIComponent)
    .replaceAll("(", "%28")
    .replaceAll(")", "%29")})`;
}

/** A block of code. */
export function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Blocks with a line between them; what says nothing is left out. */
export function blocks(parts: readonly (string | undefined)[]): string {
  return `${parts.filter((part) => part !== undefined && part !== "").join("\n\n")}\n`;
}
