// Readable colors. A site chooses its colors, and text in one of them is made lighter or darker until it has enough contrast with
// its background.

/** The least contrast of text, by WCAG 2 (level AA). */
const MIN_CONTRAST = 4.5;

type Rgb = readonly [red: number, green: number, blue: number];

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

/** Parses a color of three or six hexadecimal digits. */
function parseHexColor(color: string): Rgb {
  const digits = color.slice(1);
  const six = digits.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits.slice(0, 6);
  return [0, 2, 4].map((at) => Number.parseInt(six.slice(at, at + 2), 16) || 0) as unknown as Rgb;
}

function formatHexColor(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

/** Computes the relative luminance of a color, from 0 to 1. */
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

function combineColors(a: Rgb, b: Rgb, share: number): Rgb {
  return a.map((part, i) => part + (b[i]! - part) * share) as unknown as Rgb;
}

/**
 * Returns a color for text that is readable on all backgrounds, and on the backgrounds tinted with a share of the color. This is
 * the color itself if it is readable, otherwise the nearest shade that is.
 */
export function ensureContrast(color: string, backgrounds: readonly string[], tintShare = 0): string {
  const parsedBackgrounds = backgrounds.map(parseHexColor);
  const isReadable = (candidate: Rgb) =>
    parsedBackgrounds.every(
      (background) =>
        computeContrast(candidate, background) >= MIN_CONTRAST &&
        computeContrast(candidate, combineColors(background, candidate, tintShare)) >= MIN_CONTRAST,
    );
  const original = parseHexColor(color);
  if (isReadable(original)) return formatHexColor(original);
  const extreme = parsedBackgrounds.every((background) => computeLuminance(background) > 0.18) ? BLACK : WHITE;
  for (let share = 0.05; share < 1; share += 0.05) {
    const candidate = combineColors(original, extreme, share);
    if (isReadable(candidate)) return formatHexColor(candidate);
  }
  return formatHexColor(extreme);
}

/** Returns black or white, whichever is more readable on a color. */
export function chooseTextColor(color: string): string {
  const background = parseHexColor(color);
  return computeContrast(BLACK, background) > computeContrast(WHITE, background) ? "#000000" : "#ffffff";
}

/** Returns a background with a share of a color in it. */
export function applyTint(background: string, color: string, share: number): string {
  return formatHexColor(combineColors(parseHexColor(background), parseHexColor(color), share));
}
