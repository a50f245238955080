// Positions among siblings: texts between which another text always fits, so moving one thing does not renumber others.

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";

/**
 * A position after `low` and before `high`; undefined is the beginning and the end. It never ends with the lowest
 * digit, and `high` never begins with it, so anything appended to the position still lies between the two.
 */
export function between(low: string | undefined, high: string | undefined): string {
  if (low !== undefined && high !== undefined && low >= high)
    throw new RangeError(`No room between ${low} and ${high}.`);
  const floor = low ?? "";
  let position = "";
  for (let i = 0; ; i++) {
    const from = i < floor.length ? DIGITS.indexOf(floor[i]!) : 0;
    // Once a digit is below that of `high`, all following digits are free.
    const to = high?.startsWith(position) ? DIGITS.indexOf(high[position.length] ?? "0") : DIGITS.length;
    if (to - from > 1) return position + DIGITS[from + stride(from, to, low === undefined, high === undefined)];
    position += DIGITS[from];
  }
}

/** Half way between two neighbours; a small step at an open end, where the next thing will most likely follow. */
function stride(from: number, to: number, isFirst: boolean, isLast: boolean): number {
  if (isLast && !isFirst) return Math.min(1, to - from - 1);
  return Math.floor((to - from) / 2);
}
