// Positions among siblings: texts between which there is always room, so that moving one thing renumbers no other.

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";

/**
 * A position after `low` and before `high`; undefined is the beginning and the end. It never ends in the lowest digit, and
 * `high` never begins with it, so whatever is put behind it still lies between the two.
 */
export function between(low: string | undefined, high: string | undefined): string {
  if (low !== undefined && high !== undefined && low >= high)
    throw new RangeError(`No room between ${low} and ${high}.`);
  const floor = low ?? "";
  let position = "";
  for (let i = 0; ; i++) {
    const from = i < floor.length ? DIGITS.indexOf(floor[i]!) : 0;
    // Once a digit was below the one of `high`, everything that follows is below it.
    const to = high?.startsWith(position) ? DIGITS.indexOf(high[position.length] ?? "0") : DIGITS.length;
    if (to - from > 1) return position + DIGITS[from + stride(from, to, low === undefined, high === undefined)];
    position += DIGITS[from];
  }
}

/** Half way between two neighbours; a small step at an open end, where the next one will most likely follow. */
function stride(from: number, to: number, isFirst: boolean, isLast: boolean): number {
  if (isLast && !isFirst) return Math.min(1, to - from - 1);
  return Math.floor((to - from) / 2);
}
