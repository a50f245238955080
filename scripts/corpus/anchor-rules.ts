// Anchors of headings in Markdown, as the tools that people write links for make them. A link is good if one of them
// makes its anchor.

type Rule = (heading: string) => string;

/** What a heading says, without marks. */
function said(heading: string): string {
  return heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/<[^>]*>/g, "")
    .replace(/[`*]|(?<!\w)_|_(?!\w)/g, "")
    .trim();
}

const RULES: readonly Rule[] = [
  // GitHub, and what follows it.
  (text) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
      .replaceAll(" ", "-"),
  // mdBook: the same, with runs of spaces as one.
  (text) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}_\-\s]/gu, "")
      .replace(/\s+/g, "-"),
  // GitBook and others: runs of anything else are one dash.
  (text) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-+|-+$/g, ""),
  // Pandoc and kramdown: letters first, points and underscores stay.
  (text) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}_.\- ]/gu, "")
      .replace(/ +/g, "-")
      .replace(/^[^\p{L}]+/u, ""),
  // Those that write letters without accents.
  (text) =>
    text
      .normalize("NFKD")
      .replace(/[^\w\s-]/g, "")
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, "-"),
];

/** The anchors that a text of Markdown may have, by any of the rules, and those that it states itself. */
export function anchorsIn(markdown: string): Set<string> {
  const found = new Set<string>();
  const counts = new Map<string, number>();
  const add = (anchor: string) => {
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    found.add(count === 0 ? anchor : `${anchor}-${count}`);
  };
  const withoutCode = markdown.replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1/gm, "");
  for (const [, line = ""] of withoutCode.matchAll(/^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*$/gm)) addHeading(line, add);
  for (const [, line = ""] of withoutCode.matchAll(/^([^\n]+)\n(?:=+|-+)[ \t]*$/gm)) addHeading(line, add);
  for (const [, id = ""] of markdown.matchAll(/\b(?:id|name)\s*=\s*["']([^"']+)["']/g)) found.add(id);
  return found;
}

function addHeading(line: string, add: (anchor: string) => void): void {
  const [, text = line, stated] = /^(.*?)\s*\{#([^}\s]+)[^}]*\}$/.exec(line) ?? [];
  if (stated !== undefined) add(stated);
  for (const anchor of new Set(RULES.map((rule) => rule(said(text))))) add(anchor);
}
