// Redirects as lines of text, for many at once: a path, then where it leads. Between them stand spaces, a tab, a comma, a
// semicolon or `->`. What some servers write is read too: `/old /new 301`.

export interface Line {
  readonly source: string;
  readonly url: string;
}

export interface ReadLines {
  readonly redirects: readonly Line[];
  /** The numbers of the lines that are not understood, from 1. */
  readonly wrong: readonly number[];
}

/** Redirects that lead to paths of the site need its address: a redirect leads to an address or to a thing by its id. */
export function readLines(text: string, site: string | undefined): ReadLines {
  const redirects: Line[] = [];
  const wrong: number[] = [];
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const bare = line.trim();
    if (bare === "" || bare.startsWith("#")) continue;
    const [source = "", to = ""] = wordsOf(bare).map((part) => part.replace(/^"|"$/g, ""));
    const url = addressOf(to, site);
    if (source === "" || url === undefined) wrong.push(at + 1);
    else redirects.push({ source: source.startsWith("/") ? source : `/${source}`, url });
  }
  return { redirects, wrong };
}

function wordsOf(line: string): readonly string[] {
  return line.split(/->|=>|[\s,;]/).filter(Boolean);
}

function addressOf(to: string, site: string | undefined): string | undefined {
  if (/^https?:\/\/[^\s]+$/i.test(to)) return to;
  if (!to.startsWith("/") || to.startsWith("//") || site === undefined) return undefined;
  return `${site.endsWith("/") ? site.slice(0, -1) : site}${to}`;
}

/** So many fit into one request. */
export const AT_ONCE = 100;

export function inParts<Item>(items: readonly Item[], size = AT_ONCE): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  );
}
