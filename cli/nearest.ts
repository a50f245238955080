// The name that was most likely meant.

/** The only name that begins like this; else the nearest one, if at most a third of its letters differ. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const begun = names.filter((name) => typed.length > 2 && name.startsWith(typed));
  if (begun.length === 1) return begun[0];
  const ranked = names
    .map((name) => ({ name, distance: distanceBetween(typed.toLowerCase(), name) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best && best.distance <= Math.max(1, Math.floor(best.name.length / 3)) ? best.name : undefined;
}

/** How many letters are added, left out, replaced or swapped with their neighbour. */
function distanceBetween(a: string, b: string): number {
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
