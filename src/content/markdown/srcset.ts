// URLs in `srcset`. Editors write a single URL there, with its spaces, parentheses and commas; websites write a list of URLs
// with descriptors (`a.png 1x, b.png 2x`).

const DESCRIPTOR = /[ \t\r\n][0-9]+(?:\.[0-9]+)?[wxh](?=[ \t\r\n]*(?:,|$))/;
/** A URL that a comma separates from the next one: it ends like a file name, or contains no space. */
const FIRST = /^(?:[^\s,]+|.*?\.[A-Za-z0-9]{2,5})(?=,[ \t\r\n])/;

/** Returns the first URL of a `srcset`, without its descriptor. */
export function parseSrcset(srcset: string): string {
  const set = srcset.trim();
  const descriptor = DESCRIPTOR.exec(set);
  if (!descriptor) return set;
  const first = set.slice(0, descriptor.index).trimEnd();
  return FIRST.exec(first)?.[0] ?? first;
}
