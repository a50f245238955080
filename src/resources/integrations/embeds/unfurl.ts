// Decides which addresses a block of an integration shows: those that match a pattern of its `urlUnfurl`. In a pattern, `*` stands
// for any text; in the host it does not reach into the path. A pattern without `*` matches its address and everything below it.
// Patterns come from publishers, so they are matched by searching for their parts, and never as a regular expression.

const SCHEME = /^(https?):\/\//i;

export function matchesUnfurlPattern(patterns: readonly string[], url: URL): boolean {
  return patterns.some((pattern) => {
    const scheme = SCHEME.exec(pattern)?.[1];
    if (scheme !== undefined && `${scheme.toLowerCase()}:` !== url.protocol) return false;
    const withoutScheme = pattern.replace(SCHEME, "");
    const end = withoutScheme.search(/[/?]/);
    const host = end < 0 ? withoutScheme : withoutScheme.slice(0, end);
    const path = end < 0 ? "" : withoutScheme.slice(end);
    if (!matchesWildcards(host.toLowerCase(), url.host)) return false;
    const urlPath = `${url.pathname}${url.search}`;
    if (path.includes("*")) return matchesWildcards(path, urlPath);
    return urlPath.startsWith(path) && (/^$|[/?=&]$/.test(path) || /^$|^[/?]/.test(urlPath.slice(path.length)));
  });
}

/** Returns true if a text has the parts of a pattern in order, the first at its beginning and the last at its end. */
function matchesWildcards(pattern: string, text: string): boolean {
  const parts = pattern.split("*");
  const first = parts[0]!;
  if (parts.length === 1) return text === pattern;
  const last = parts.at(-1)!;
  if (!text.startsWith(first)) return false;
  let position = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, position);
    if (found < 0) return false;
    position = found + part.length;
  }
  return text.length - last.length >= position && text.endsWith(last);
}
