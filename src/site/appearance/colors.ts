// Colours that can be read. A site chooses its colours; text in one of them is made lighter or darker until it stands out from
// what is behind it.

/** The least ratio of brightness for text, by the guidelines for accessible content (level AA). */
const LEAST_CONTRAST = 4.5;

type Rgb = readonly [red: number, green: number, blue: number];

/** A colour of three or six hexadecimal digits. */
function parseHexColor(color: string): Rgb {
  const digits = color.slice(1);
  const six = digits.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits.slice(0, 6);
  return [0, 2, 4].map((at) => Number.parseInt(six.slice(at, at + 2), 16) || 0) as unknown as Rgb;
}

function formatHexColor(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

/** How bright a colour is to the eye, from 0 to 1. */
function computeLuminance(color: Rgb): number {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function computeContrast(a: Rgb, b: Rgb): number {
  const [light, dark] = [computeLuminance(a), computeLuminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

function combineColors(a: Rgb, b: Rgb, share: number): Rgb {
  return a.map((part, i) => part + (b[i]! - part) * share) as unknown as Rgb;
}

/** A colour as text on all of these grounds, and on the grounds with a share of itself in them: itself where it can be read, else
 * as near to it as can be. */
export function ensureContrast(color: string, grounds: readonly string[], share = 0): string {
  const behind = grounds.map(parseHexColor);
  const stands = (it: Rgb) =>
    behind.every(
      (ground) =>
        computeContrast(it, ground) >= LEAST_CONTRAST &&
        computeContrast(it, combineColors(ground, it, share)) >= LEAST_CONTRAST,
    );
  const wanted = parseHexColor(color);
  if (stands(wanted)) return formatHexColor(wanted);
  const towards = behind.every((ground) => computeLuminance(ground) > 0.18) ? BLACK : WHITE;
  for (let step = 0.05; step < 1; step += 0.05) {
    const tried = combineColors(wanted, towards, step);
    if (stands(tried)) return formatHexColor(tried);
  }
  return formatHexColor(towards);
}

/** Black or white, whichever is read better on a colour. */
export function chooseTextColor(color: string): string {
  const ground = parseHexColor(color);
  return computeContrast(BLACK, ground) > computeContrast(WHITE, ground) ? "#000000" : "#ffffff";
}

/** A little of one colour over another. */
export function applyTint(ground: string, color: string, share: number): string {
  return formatHexColor(combineColors(parseHexColor(ground), parseHexColor(color), share));
}
