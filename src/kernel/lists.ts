// A list is an object to JavaScript, and to the library that checks shapes: an empty one passes wherever every member is
// optional. Here it is told apart, by what became of it: a list that came out as something else was none that was asked for.

/** Where a list stands in the place of an object, as a path below `at`; undefined: nowhere. */
export function listForObject(given: unknown, checked: unknown, at: string): string | undefined {
  if (given === checked || typeof given !== "object" || given === null) return undefined;
  if (typeof checked !== "object" || checked === null) return undefined;
  if (Array.isArray(given) !== Array.isArray(checked)) return Array.isArray(given) ? at : undefined;
  for (const [name, value] of Object.entries(given)) {
    const found = listForObject(value, (checked as Readonly<Record<string, unknown>>)[name], `${at}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
