// Colours that can be read. A site chooses its colours; text in one of them is made lighter or darker until it stands out from
// what is behind it.

/** The least ratio of brightness for text, by the guidelines for accessible content (level AA). */
const LEAST_CONTRAST = 4.5;

type Rgb = readonly [red: number, green: number, blue: number];

/** A colour of three or six hexadecimal digits. */
function parts(color: string): Rgb {
  const digits = color.slice(1);
  const six = digits.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits.slice(0, 6);
  return [0, 2, 4].map((at) => Number.parseInt(six.slice(at, at + 2), 16) || 0) as unknown as Rgb;
}

function hex(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

/** How bright a colour is to the eye, from 0 to 1. */
function brightness(color: Rgb): number {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: Rgb, b: Rgb): number {
  const [light, dark] = [brightness(a), brightness(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

function mixed(a: Rgb, b: Rgb, share: number): Rgb {
  return a.map((part, i) => part + (b[i]! - part) * share) as unknown as Rgb;
}

/** A colour as text on all of these grounds, and on the grounds with a share of itself in them: itself where it can be read, else
 * as near to it as can be. */
export function readable(color: string, grounds: readonly string[], share = 0): string {
  const behind = grounds.map(parts);
  const stands = (it: Rgb) =>
    behind.every(
      (ground) => contrast(it, ground) >= LEAST_CONTRAST && contrast(it, mixed(ground, it, share)) >= LEAST_CONTRAST,
    );
  const wanted = parts(color);
  if (stands(wanted)) return hex(wanted);
  const towards = behind.every((ground) => brightness(ground) > 0.18) ? BLACK : WHITE;
  for (let step = 0.05; step < 1; step += 0.05) {
    const tried = mixed(wanted, towards, step);
    if (stands(tried)) return hex(tried);
  }
  return hex(towards);
}

/** Black or white, whichever is read better on a colour. */
export function inkOn(color: string): string {
  const ground = parts(color);
  return contrast(BLACK, ground) > contrast(WHITE, ground) ? "#000000" : "#ffffff";
}

/** A little of one colour over another. */
export function tinted(ground: string, color: string, share: number): string {
  return hex(mixed(parts(ground), parts(color), share));
}
