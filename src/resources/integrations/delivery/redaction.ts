// Removes secrets from the records of deliveries: values that the script was given as secrets, and names and passwords
// in URLs.

/** Shorter values occur in too many unrelated words. */
const SHORTEST_SECRET = 4;
const MASK = "•••";

/** A function that removes secrets from a text. */
export function createRedactor(hidden: readonly string[]): (text: string) => string {
  // The longest first, because one may contain another.
  const values = hidden.filter((it) => it.length >= SHORTEST_SECRET).toSorted((a, b) => b.length - a.length);
  return (text) =>
    values
      .reduce((told, value) => told.replaceAll(value, MASK), text)
      .replace(/(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^/\s@]{1,512}@/gi, "$1");
}
