// Texts of a specification in Markdown. The format defines descriptions as Markdown; everything else is plain text.

/** The most characters of one description. */
const MAX_DESCRIPTION = 20_000;

/** A description as Markdown, in which our own syntax has no meaning. */
export function described(text: string | undefined): string {
  if (text === undefined) return "";
  return text
    .slice(0, MAX_DESCRIPTION)
    .replaceAll("\r\n", "\n")
    .replaceAll("{%", "{\\%")
    .replaceAll(/<(\/?)code\s+class/gi, "&lt;$1code class")
    .trim();
}

/** A text that stands in a line. */
export function inLine(text: string): string {
  return text
    .slice(0, MAX_DESCRIPTION)
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[\\`*_{}[\]<>#|~$!&]/g, "\\$&")
    .trim();
}

/** The first words of a description, as a text. */
export function firstWords(text: string | undefined, most: number): string | undefined {
  const words = text?.replaceAll(/\s+/g, " ").trim() ?? "";
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

/** A description behind a name, in the same line. */
export function behind(text: string | undefined): string {
  const words = firstWords(text, 500);
  return words === undefined ? "" : `: ${inLine(words)}`;
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
