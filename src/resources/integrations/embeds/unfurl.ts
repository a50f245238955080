// Which addresses a block of an integration shows: those that fit a pattern of its `urlUnfurl`. In a pattern, `*` stands for
// any text; in the host it does not reach into the path. A pattern without `*` fits its address and everything below it.
// Patterns come from publishers, so each is matched by searching its parts one after the other, and never as an expression.

const SCHEME = /^(https?):\/\//i;

/** Whether an address fits one of the patterns. */
export function matchesUnfurlPattern(patterns: readonly string[], url: URL): boolean {
  return patterns.some((pattern) => fits(pattern, url));
}

function fits(pattern: string, url: URL): boolean {
  const scheme = SCHEME.exec(pattern)?.[1];
  if (scheme !== undefined && `${scheme.toLowerCase()}:` !== url.protocol) return false;
  const bare = pattern.replace(SCHEME, "");
  const end = bare.search(/[/?]/);
  const host = end < 0 ? bare : bare.slice(0, end);
  const path = end < 0 ? "" : bare.slice(end);
  return hasParts(host.toLowerCase(), url.host) && fitsPath(path, `${url.pathname}${url.search}`);
}

function fitsPath(pattern: string, path: string): boolean {
  if (pattern.includes("*")) return hasParts(pattern, path);
  return path.startsWith(pattern) && (/^$|[/?=&]$/.test(pattern) || /^$|^[/?]/.test(path.slice(pattern.length)));
}

/** Whether a text has the parts of a pattern in their order: the first at its beginning, the last at its end. */
function hasParts(pattern: string, text: string): boolean {
  const parts = pattern.split("*");
  const first = parts[0]!;
  if (parts.length === 1) return text === pattern;
  const last = parts.at(-1)!;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
