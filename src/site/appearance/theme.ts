// The theme of a site: its colors, fonts and corners as a few CSS rules. They are inline styles of the page. The policy of the page
// contains their digest, so nothing else is accepted as inline style.

import { VersionedCache } from "../../utils/versioned-cache";
import type { SiteCustomization } from "../request/request-context";

type ThemeName = "light" | "dark";

const CORNERS = { straight: "0", rounded: "8px", circular: "16px" } as const;
/** The backgrounds, and the text, of both themes before the colors of a site are applied. */
const PAPER = { light: "#ffffff", dark: "#14181c" } as const;
const SHADE = { light: "#f5f7f9", dark: "#1b2025" } as const;
const TEXT = { light: "#1d2329", dark: "#e4e8ec" } as const;
/** The share of a color in the background of a hint, and of the current page in the navigation. */
const TINT_SHARE = { light: 0.09, dark: 0.16 } as const;

/** Finding readable colors takes longer than rendering most pages, and the pages of a site have few themes. */
const MAX_CACHED_THEMES = 200;
const themeCache = new VersionedCache<string>(MAX_CACHED_THEMES);

export function renderTheme(customization: SiteCustomization): string {
  const { styling, header } = customization;
  const key = JSON.stringify([styling, header]);
  const cached = themeCache.get(key);
  if (cached !== undefined) return cached;
  const { corners, depth, background, tint, theme, primaryColor } = styling;
  const isTinted = background === "match" || theme === "muted" || tint !== undefined;
  const buildProperties = (name: ThemeName): string => {
    const tone = (tint?.color ?? primaryColor)[name];
    const paper = background === "match" ? applyTint(PAPER[name], tone, 0.04) : PAPER[name];
    const shade = isTinted ? applyTint(SHADE[name], tone, 0.06) : SHADE[name];
    // Text in a color may stand on a background of that color, as in a hint.
    const toTextColor = (color: typeof primaryColor) => ensureContrast(color[name], [paper, shade], TINT_SHARE[name]);
    let bar = paper;
    let barText: string = TEXT[name];
    if (header.preset === "custom") {
      bar = header.backgroundColor?.[name] ?? paper;
      barText = ensureContrast(header.linkColor?.[name] ?? chooseTextColor(bar), [bar]);
    } else if (header.preset === "bold" || (header.preset === "default" && theme === "bold")) {
      bar = primaryColor[name];
      barText = chooseTextColor(bar);
    } else if (header.preset === "contrast") {
      bar = TEXT[name];
      barText = ensureContrast(paper, [bar]);
    }
    const properties = {
      paper,
      shade,
      accent: toTextColor(primaryColor),
      fill: primaryColor[name],
      "on-fill": chooseTextColor(primaryColor[name]),
      info: toTextColor(styling.infoColor),
      success: toTextColor(styling.successColor),
      warning: toTextColor(styling.warningColor),
      danger: toTextColor(styling.dangerColor),
      bar,
      "on-bar": barText,
    };
    return Object.entries(properties)
      .map(([property, value]) => `--${property}:${value};`)
      .join("");
  };
  const dark = buildProperties("dark");
  const shared = `--corner:${CORNERS[corners]};--lift:${depth === "flat" ? "none" : "0 1px 2px rgb(0 0 0/.06)"}`;
  const rules = [
    renderFontRules(customization),
    `:root{${buildProperties("light")}${shared}}`,
    `:root.dark{${dark}}`,
    `@media(prefers-color-scheme:dark){:root.device{${dark}}}`,
  ].join("");
  themeCache.set(key, rules);
  return rules;
}

/** Returns the classes of the page: its theme, and the settings that the stylesheet supports. */
export function getThemeClasses({ themes, styling }: SiteCustomization): string {
  const { theme, links, sidebar, search } = styling;
  return [
    themes.followsDevice ? "device" : themes.default,
    theme,
    `links-${links}`,
    `sidebar-${sidebar.background}`,
    `list-${sidebar.list}`,
    `search-${search}`,
  ].join(" ");
}

// Readable colors: text in a color of the site is made lighter or darker until it has enough contrast with its background.

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

function applyTint(background: string, color: string, share: number): string {
  return formatHexColor(combineColors(parseHexColor(background), parseHexColor(color), share));
}

type Font = SiteCustomization["styling"]["font"] | SiteCustomization["styling"]["monospaceFont"];

const SANS_FALLBACK = 'system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif';
const SERIF_FALLBACK = 'ui-serif,Georgia,"Noto Serif",serif';
const MONO_FALLBACK = 'ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace';
const SERIF_FONTS = new Set(["RobotoSlab", "Merriweather", "IBMPlexSerif"]);

/**
 * Renders the rules for the fonts of a customization: `@font-face` for custom fonts, which are loaded from the URLs of the
 * organization, then the font families. A named font is used if the reader's device has it, otherwise a similar one.
 */
export function renderFontRules({ styling: { font, monospaceFont } }: SiteCustomization): string {
  const faces = [font, monospaceFont].flatMap((it) =>
    typeof it === "string"
      ? []
      : it.fontFaces.map(({ weight, style, sources }) => {
          const urls = sources.map(
            ({ url, format }) => `url(${quoteCssString(url)})${format === undefined ? "" : ` format("${format}")`}`,
          );
          const family = quoteCssString(it.fontFamily);
          const descriptors = `font-family:${family};font-weight:${weight};font-style:${style};font-display:swap`;
          return `@font-face{${descriptors};src:${urls.join(",")}}`;
        }),
  );
  const fallback = typeof font === "string" && SERIF_FONTS.has(font) ? SERIF_FALLBACK : SANS_FALLBACK;
  const text = `${formatFontFamily(font)},${fallback}`;
  const mono = `${formatFontFamily(monospaceFont)},${MONO_FALLBACK}`;
  return `${faces.join("")}:root{--font:${text};--mono:${mono}}`;
}

/** Formats the names of a font as devices have it: `SourceSansPro` is "Source Sans Pro". */
function formatFontFamily(font: Font): string {
  if (typeof font !== "string") return quoteCssString(font.fontFamily);
  const spaced = font.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/^(IBM|ABC|DM)/, "$1 ");
  return spaced === font ? quoteCssString(font) : `${quoteCssString(spaced)},${quoteCssString(font)}`;
}

/** Quotes a CSS string for a `<style>` element. No character in it can end either of them. */
function quoteCssString(text: string): string {
  const escaped = text.replace(/["\\<>\p{Cc}]/gu, (character) => `\\${character.codePointAt(0)!.toString(16)} `);
  return `"${escaped}"`;
}
