// The name that somebody may have meant: the nearest one of a list, for sentences about names that are not known.

/** The most letters that two names may differ in. */
const MOST = 3;

/** ` Did you mean …?`, or nothing when no name is near. */
export function didYouMean(given: string, names: Iterable<string>): string {
  let best: { readonly name: string; readonly far: number } | undefined;
  for (const name of names) {
    const far = distance(given.toLowerCase(), name.toLowerCase());
    if (far <= MOST && far < name.length / 2 && far < (best?.far ?? MOST + 1)) best = { name, far };
  }
  return best ? ` Did you mean \`${best.name}\`?` : "";
}

/** How many letters must be added, left out or replaced; more than `MOST` when the lengths alone say so. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MOST) return MOST + 1;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
