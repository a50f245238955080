// The theme of a site: its colors, fonts and corners as a few CSS rules. They are inline styles of the page. The policy of the page
// contains their digest, so nothing else is accepted as inline style.

import { LruCache } from "../../utils/lru-cache";
import type { SiteCustomization } from "../request/request-context";
import { applyTint, chooseTextColor, ensureContrast } from "./colors";
import { renderFontRules } from "./fonts";

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
const themeCache = new LruCache<{ readonly rules: string }>(MAX_CACHED_THEMES);

/** Renders the CSS rules of a customization. */
export function renderTheme(customization: SiteCustomization): string {
  const { styling, header } = customization;
  const key = JSON.stringify([styling, header]);
  const cached = themeCache.get(key) ?? { rules: buildThemeRules(customization) };
  themeCache.set(key, cached);
  return cached.rules;
}

function buildThemeRules(customization: SiteCustomization): string {
  const { styling, header } = customization;
  const { corners, depth, background, tint, theme, primaryColor } = styling;
  const isTinted = background === "match" || theme === "muted" || tint !== undefined;
  const buildProperties = (name: ThemeName): string => {
    const tone = (tint?.color ?? primaryColor)[name];
    const paper = background === "match" ? applyTint(PAPER[name], tone, 0.04) : PAPER[name];
    const shade = isTinted ? applyTint(SHADE[name], tone, 0.06) : SHADE[name];
    // Text in a color may stand on a background of that color, as in a hint.
    const toTextColor = (color: typeof primaryColor) => ensureContrast(color[name], [paper, shade], TINT_SHARE[name]);
    const bar = chooseHeaderColors(header, styling, name, paper);
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
      bar: bar.background,
      "on-bar": bar.text,
    };
    return Object.entries(properties)
      .map(([property, value]) => `--${property}:${value};`)
      .join("");
  };
  const dark = buildProperties("dark");
  const shared = `--corner:${CORNERS[corners]};--lift:${depth === "flat" ? "none" : "0 1px 2px rgb(0 0 0/.06)"}`;
  return [
    renderFontRules(customization),
    `:root{${buildProperties("light")}${shared}}`,
    `:root.dark{${dark}}`,
    `@media(prefers-color-scheme:dark){:root.device{${dark}}}`,
  ].join("");
}

/** Returns the background and the text color of the header. */
function chooseHeaderColors(
  { preset, backgroundColor, linkColor }: SiteCustomization["header"],
  { primaryColor, theme }: SiteCustomization["styling"],
  name: ThemeName,
  paper: string,
): { readonly background: string; readonly text: string } {
  if (preset === "custom") {
    const background = backgroundColor?.[name] ?? paper;
    return { background, text: ensureContrast(linkColor?.[name] ?? chooseTextColor(background), [background]) };
  }
  if (preset === "bold" || (preset === "default" && theme === "bold"))
    return { background: primaryColor[name], text: chooseTextColor(primaryColor[name]) };
  if (preset === "contrast") return { background: TEXT[name], text: ensureContrast(paper, [TEXT[name]]) };
  return { background: paper, text: TEXT[name] };
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
