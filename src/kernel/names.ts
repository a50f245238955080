// Names of members that mean something to JavaScript itself. A shape would let them go unsaid, and nothing is to be lost
// silently: they are refused, wherever in a body they stand.

const unusable = ["__proto__", "constructor", "prototype"];

/** Whether a JSON text may have such a name, if only in an escaped spelling: most have none, and need not be gone through. */
export function mayHaveUnusableName(text: string): boolean {
  return [...unusable, "\\u"].some((part) => text.includes(part));
}

/** The path of the first member that has such a name. */
export function unusableName(body: unknown, path: string): string | undefined {
  const ahead: [value: unknown, path: string][] = [[body, path]];
  for (let next = ahead.pop(); next; next = ahead.pop()) {
    const [value, at] = next;
    if (typeof value !== "object" || value === null) continue;
    for (const [name, member] of Object.entries(value)) {
      if (!Array.isArray(value) && unusable.includes(name)) return `${at}.${name}`;
      ahead.push([member, `${at}.${name}`]);
    }
  }
  return undefined;
}
