// The name that somebody may have meant, for sentences about names that are not known.

/** The only name that begins like this; else the nearest one, if at most a third of its letters differ. */
export function findNearestName(given: string, names: Iterable<string>): string | undefined {
  const all = [...names];
  const begun = all.filter((name) => given.length > 2 && name.startsWith(given));
  if (begun.length === 1) return begun[0];
  let best: { readonly name: string; readonly far: number } | undefined;
  for (const name of all) {
    const most = Math.max(1, Math.floor(name.length / 3));
    if (Math.abs(given.length - name.length) > most) continue;
    const far = distance(given.toLowerCase(), name.toLowerCase());
    if (far <= most && far < (best?.far ?? Number.POSITIVE_INFINITY)) best = { name, far };
  }
  return best?.name;
}

/** ` Did you mean …?`, or nothing when no name is near. */
export function suggestName(given: string, names: Iterable<string>): string {
  const name = findNearestName(given, names);
  return name === undefined ? "" : ` Did you mean \`${name}\`?`;
}

/** How many letters are added, left out, replaced or swapped with their neighbour. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(replaced, rows[i - 1]![j]! + 1, row[j - 1]! + 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) best = Math.min(best, rows[i - 2]![j - 2]! + 1);
      row.push(best);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
