// Parses many redirects from lines of text: a path and its target, separated by spaces, a tab, a comma, a semicolon or `->`.
// The format of some servers is accepted too: `/old /new 301`.

export interface RedirectLine {
  readonly source: string;
  readonly url: string;
}

export interface ParsedRedirectLines {
  readonly redirects: readonly RedirectLine[];
  /** The numbers of the invalid lines, from 1. */
  readonly wrong: readonly number[];
}

/** Parses redirects. Targets that are paths of the site need its URL, because a redirect leads to a URL or to an id. */
export function parseRedirectLines(text: string, site: string | undefined): ParsedRedirectLines {
  const redirects: RedirectLine[] = [];
  const wrong: number[] = [];
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const bare = line.trim();
    if (bare === "" || bare.startsWith("#")) continue;
    const parts = bare.split(/->|=>|[\s,;]/).filter(Boolean);
    const [source = "", target = ""] = parts.map((part) => part.replace(/^"|"$/g, ""));
    let url: string | undefined;
    if (/^https?:\/\/[^\s]+$/i.test(target)) url = target;
    else if (target.startsWith("/") && !target.startsWith("//") && site !== undefined)
      url = `${site.endsWith("/") ? site.slice(0, -1) : site}${target}`;
    if (source === "" || url === undefined) wrong.push(at + 1);
    else redirects.push({ source: source.startsWith("/") ? source : `/${source}`, url });
  }
  return { redirects, wrong };
}
