// HTML that cannot be broken into: everything that is put into a template is escaped, unless it is markup itself.

/** A piece of markup. */
export class Markup {
  constructor(readonly text: string) {}
}

export type Part = Markup | string | number | undefined | false | readonly Part[];

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as it stands in HTML, in a text or in a quoted attribute. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (it) => escapes[it]!);
}

function written(part: Part): string {
  if (part === undefined || part === false) return "";
  if (part instanceof Markup) return part.text;
  if (typeof part === "object") return part.map(written).join("");
  return escaped(String(part));
}

/** Markup from a template. Lists are joined; what is undefined or false is left out. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.map((text, i) => text + written(parts[i])).join(""));
}
