// Suggests the name that was probably meant, for error messages about unknown names.

/** Returns ` Did you mean …?`, or an empty text if no name is similar. */
export function suggestName(given: string, names: Iterable<string>): string {
  const name = findNearestName(given, names);
  return name === undefined ? "" : ` Did you mean \`${name}\`?`;
}

/** Returns the only name that begins with `given`; otherwise the nearest name, if at most a third of its letters differ. */
export function findNearestName(given: string, names: Iterable<string>): string | undefined {
  const candidates = [...names];
  const completions = candidates.filter((name) => given.length > 2 && name.startsWith(given));
  if (completions.length === 1) return completions[0];

  let nearest: { readonly name: string; readonly distance: number } | undefined;
  for (const name of candidates) {
    const maxDistance = Math.max(1, Math.floor(name.length / 3));
    if (Math.abs(given.length - name.length) > maxDistance) continue;
    const distance = getEditDistance(given.toLowerCase(), name.toLowerCase());
    if (distance <= maxDistance && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY))
      nearest = { name, distance };
  }
  return nearest?.name;
}

/** Returns how many letters are added, removed, replaced or swapped with their neighbor (Damerau–Levenshtein). */
function getEditDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let distance = Math.min(replaced, rows[i - 1]![j]! + 1, row[j - 1]! + 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) distance = Math.min(distance, rows[i - 2]![j - 2]! + 1);
      row.push(distance);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
