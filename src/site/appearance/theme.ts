// The colours and corners that a site chose, as a few lines of CSS. They stand inside the page, and the policy of the page names
// their digest, so nothing else inside of it is taken for style.

import type * as Resources from "../../generated/resources";
import { LruCache } from "../../utils/lru-cache";
import { applyTint, chooseTextColor, ensureContrast } from "./colors";
import { renderFontRules } from "./fonts";

type Look = Resources.SiteCustomization;
type Color = Resources.SiteCustomization["styling"]["primaryColor"];

const CORNERS = { straight: "0", rounded: "8px", circular: "16px" } as const;
/** What is behind the text, in each theme, before a site's colours. */
const PAPER = { light: "#ffffff", dark: "#14181c" } as const;
const SHADE = { light: "#f5f7f9", dark: "#1b2025" } as const;
/** How much of a colour is behind a hint and a page that is chosen. */
const SHARE = { light: 0.09, dark: 0.16 } as const;

/** Finding colours that can be read takes longer than drawing most pages, and the pages of a site have few looks. */
const MOST_KEPT = 200;
const kept = new LruCache<{ readonly lines: string }>(MOST_KEPT);

/** The lines of a site. */
export function renderTheme(look: Look): string {
  const name = JSON.stringify([look.styling, look.header]);
  const known = kept.get(name) ?? { lines: buildThemeRules(look) };
  kept.set(name, known);
  return known.lines;
}

function buildThemeRules(look: Look): string {
  const { styling, header } = look;
  const { corners, depth, background, tint, theme } = styling;
  const inTheme = (name: "light" | "dark") => {
    const tone = (tint?.color ?? styling.primaryColor)[name];
    const isTinted = background === "match" || theme === "muted" || tint !== undefined;
    const paper = background === "match" ? applyTint(PAPER[name], tone, 0.04) : PAPER[name];
    const shade = isTinted ? applyTint(SHADE[name], tone, 0.06) : SHADE[name];
    // Text in a colour also stands on a ground of that colour, as in a hint.
    const ink = (color: Color) => ensureContrast(color[name], [paper, shade], SHARE[name]);
    const bar = getHeaderColors(header, styling, name, paper);
    const lines = {
      paper,
      shade,
      accent: ink(styling.primaryColor),
      fill: styling.primaryColor[name],
      "on-fill": chooseTextColor(styling.primaryColor[name]),
      info: ink(styling.infoColor),
      success: ink(styling.successColor),
      warning: ink(styling.warningColor),
      danger: ink(styling.dangerColor),
      bar: bar.ground,
      "on-bar": bar.ink,
    };
    return Object.entries(lines)
      .map(([property, value]) => `--${property}:${value};`)
      .join("");
  };
  const dark = inTheme("dark");
  const fixed = `--corner:${CORNERS[corners]};--lift:${depth === "flat" ? "none" : "0 1px 2px rgb(0 0 0/.06)"}`;
  return `${renderFontRules(look)}:root{${inTheme("light")}${fixed}}:root.dark{${dark}}@media(prefers-color-scheme:dark){:root.device{${dark}}}`;
}

/** The ground and the text of the header. */
function getHeaderColors(
  { preset, backgroundColor, linkColor }: Look["header"],
  { primaryColor, theme }: Look["styling"],
  name: "light" | "dark",
  paper: string,
): { readonly ground: string; readonly ink: string } {
  const text = { light: "#1d2329", dark: "#e4e8ec" }[name];
  if (preset === "custom") {
    const ground = backgroundColor?.[name] ?? paper;
    return { ground, ink: ensureContrast(linkColor?.[name] ?? chooseTextColor(ground), [ground]) };
  }
  if (preset === "bold" || (preset === "default" && theme === "bold"))
    return { ground: primaryColor[name], ink: chooseTextColor(primaryColor[name]) };
  if (preset === "contrast") return { ground: text, ink: ensureContrast(paper, [text]) };
  return { ground: paper, ink: text };
}

/** The classes of the page: its theme, and the settings that the style sheet knows. */
export function getThemeClasses({ themes, styling }: Look): string {
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
