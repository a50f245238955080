// What is written down of a delivery holds no secret: values that the script was given in confidence are taken out of what it
// says, and so are names and passwords in URLs.

/** Shorter values stand in too many words that have nothing to do with them. */
const SHORTEST_SECRET = 4;
const MASK = "•••";

/** A function that takes secrets out of a text. */
export function redactor(hidden: readonly string[]): (text: string) => string {
  // The longest first: one may hold another.
  const values = hidden.filter((it) => it.length >= SHORTEST_SECRET).toSorted((a, b) => b.length - a.length);
  return (text) =>
    values
      .reduce((told, value) => told.replaceAll(value, MASK), text)
      .replace(/(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^/\s@]{1,512}@/gi, "$1");
}
