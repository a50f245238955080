// Positions of pages below one parent, as texts. There is always room between two positions, so moving one page renumbers
// no other page (fractional indexing).
//
// A position is an integer followed by a fraction. The first letter of the integer says how many digits it has: `a` to `z`
// precede one to twenty-six digits of a number from zero up, `Z` to `A` precede those of a negative number. So positions
// sort as texts, and the ten thousandth page at the end still has a position of four characters. No fraction ends in `0`.

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";
const LAST_DIGIT = DIGITS.at(-1)!;

/** Returns a position after `low` and before `high`. Undefined stands for the beginning and the end. */
export function createOrderBetween(low: string | undefined, high: string | undefined): string {
  if (low === undefined && high === undefined) return "a0";
  if (low === undefined) {
    const integer = getInteger(high!);
    return integer < high! ? integer : shiftInteger(integer, -1);
  }
  const integer = getInteger(low);
  if (high === undefined) return shiftInteger(integer, 1);
  if (low >= high) throw new RangeError(`No room between ${low} and ${high}.`);
  const fraction = low.slice(integer.length);
  if (integer === getInteger(high)) return integer + createFractionBetween(fraction, high.slice(integer.length));
  const nextInteger = shiftInteger(integer, 1);
  return nextInteger < high ? nextInteger : integer + createFractionBetween(fraction, undefined);
}

function getInteger(order: string): string {
  const head = order.charCodeAt(0);
  const digitCount = head >= 97 ? head - 96 : 91 - head;
  return order.slice(0, 1 + digitCount);
}

/** Returns the next or the previous integer. */
function shiftInteger(integer: string, by: 1 | -1): string {
  const digits = integer.slice(1);
  const [overflowDigit, resetDigit] = by === 1 ? [LAST_DIGIT, "0"] : ["0", LAST_DIGIT];
  let i = digits.length - 1;
  while (i >= 0 && digits[i] === overflowDigit) i--;
  if (i >= 0) {
    const digit = DIGITS[DIGITS.indexOf(digits[i]!) + by];
    return integer[0] + digits.slice(0, i) + digit + resetDigit.repeat(digits.length - i - 1);
  }
  if (by === 1 && integer[0] === "Z") return "a0";
  if (by === -1 && integer[0] === "a") return `Z${LAST_DIGIT}`;
  // Positive integers get longer as they rise, and negative ones as they fall.
  const head = integer.charCodeAt(0) + by;
  const digitCount = head >= 97 ? digits.length + by : digits.length - by;
  return String.fromCharCode(head) + resetDigit.repeat(digitCount);
}

/** Returns a fraction between two others. Undefined stands for one. */
function createFractionBetween(low: string, high: string | undefined): string {
  let sharedLength = 0;
  if (high !== undefined)
    while (sharedLength < high.length && (low[sharedLength] ?? "0") === high[sharedLength]) sharedLength++;
  if (sharedLength > 0)
    return high!.slice(0, sharedLength) + createFractionBetween(low.slice(sharedLength), high!.slice(sharedLength));
  const from = low === "" ? 0 : DIGITS.indexOf(low[0]!);
  const to = high === undefined ? DIGITS.length : DIGITS.indexOf(high[0]!);
  if (to - from > 1) return DIGITS[Math.floor((from + to) / 2)]!;
  if (high !== undefined && high.length > 1) return high[0]!;
  return DIGITS[from]! + createFractionBetween(low.slice(1), undefined);
}
