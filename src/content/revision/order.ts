// Positions of pages under one parent: texts between which there is always room, so moving one page renumbers no other.
// A position is a whole number, whose first letter says how many digits it has, and a fraction. So the ten thousandth
// page at the end still has a position of four characters.

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";
const LAST = DIGITS.at(-1)!;

/** A place after `low` and before `high`; undefined is the beginning and the end. */
export function createOrderBetween(low: string | undefined, high: string | undefined): string {
  if (low === undefined && high === undefined) return "a0";
  if (low === undefined) {
    const whole = wholeOf(high!);
    return whole < high! ? whole : before(whole);
  }
  const whole = wholeOf(low);
  if (high === undefined) return after(whole);
  if (low >= high) throw new RangeError(`No room between ${low} and ${high}.`);
  const fraction = low.slice(whole.length);
  if (whole === wholeOf(high)) return whole + middle(fraction, high.slice(whole.length));
  const next = after(whole);
  return next < high ? next : whole + middle(fraction, undefined);
}

/** `a` to `z` stand before one to twenty-six digits of a number from zero up, `Z` to `A` before those of a negative
 * one. */
function wholeOf(order: string): string {
  const head = order.charCodeAt(0);
  const digits = head >= 97 ? head - 96 : 91 - head;
  return order.slice(0, 1 + digits);
}

function after(whole: string): string {
  const digits = whole.slice(1);
  let at = digits.length - 1;
  while (at >= 0 && digits[at] === LAST) at--;
  if (at >= 0)
    return (
      whole[0] + digits.slice(0, at) + DIGITS[DIGITS.indexOf(digits[at]!) + 1] + "0".repeat(digits.length - at - 1)
    );
  if (whole[0] === "Z") return "a0";
  const head = whole.charCodeAt(0) + 1;
  return String.fromCharCode(head) + "0".repeat(head >= 97 ? digits.length + 1 : digits.length - 1);
}

function before(whole: string): string {
  const digits = whole.slice(1);
  let at = digits.length - 1;
  while (at >= 0 && digits[at] === "0") at--;
  if (at >= 0)
    return (
      whole[0] + digits.slice(0, at) + DIGITS[DIGITS.indexOf(digits[at]!) - 1] + LAST.repeat(digits.length - at - 1)
    );
  if (whole[0] === "a") return `Z${LAST}`;
  const head = whole.charCodeAt(0) - 1;
  return String.fromCharCode(head) + LAST.repeat(head >= 97 ? digits.length - 1 : digits.length + 1);
}

/** A fraction between two, neither of which ends in the lowest digit; undefined is one. */
function middle(low: string, high: string | undefined): string {
  let shared = 0;
  if (high !== undefined) while (shared < high.length && (low[shared] ?? "0") === high[shared]) shared++;
  if (shared > 0) return high!.slice(0, shared) + middle(low.slice(shared), high!.slice(shared));
  const from = low === "" ? 0 : DIGITS.indexOf(low[0]!);
  const to = high === undefined ? DIGITS.length : DIGITS.indexOf(high[0]!);
  if (to - from > 1) return DIGITS[Math.floor((from + to) / 2)]!;
  if (high !== undefined && high.length > 1) return high[0]!;
  return DIGITS[from]! + middle(low.slice(1), undefined);
}
