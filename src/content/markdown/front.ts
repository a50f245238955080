// Front matter: YAML between two lines of dashes at the very start of a text.

/** Where the Markdown of a text begins: behind its byte order mark and its front matter. */
export function bodyStart(text: string): number {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const opening = /---[ \t]*(?:\r\n?|\n)/y;
  opening.lastIndex = start;
  if (!opening.test(text)) return start;
  const closing = /(?:^|[\r\n])---[ \t]*(?:\r\n?|\n|$)/g;
  closing.lastIndex = opening.lastIndex - 1;
  return closing.test(text) ? closing.lastIndex : start;
}
