// Positions among siblings: texts between which another text always fits, so moving a node does not renumber others.

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";

/**
 * Returns a position after `low` and before `high`; undefined is the beginning and the end. A position never ends with
 * the lowest digit, and `high` never begins with the result, so a suffix keeps it between the two.
 */
export function createPositionBetween(low: string | undefined, high: string | undefined): string {
  if (low !== undefined && high !== undefined && low >= high)
    throw new RangeError(`No room between ${low} and ${high}.`);
  const floor = low ?? "";
  let position = "";
  for (let i = 0; ; i++) {
    const from = i < floor.length ? DIGITS.indexOf(floor[i]!) : 0;
    // Once a digit is below that of `high`, all following digits are free.
    const to = high?.startsWith(position) ? DIGITS.indexOf(high[position.length] ?? "0") : DIGITS.length;
    if (to - from > 1) {
      // Half way between two neighbours, or a small step after the last one, where the next node most likely follows.
      const isAppended = low !== undefined && high === undefined;
      return position + DIGITS[from + (isAppended ? 1 : Math.floor((to - from) / 2))];
    }
    position += DIGITS[from];
  }
}
