// The colours, corners and fonts that a site chose, as a few lines of CSS. They stand inside the page, and the policy of
// the page names their digest, so nothing else inside of it is taken for style.

import type * as Resources from "../generated/resources";
import { fontsOf } from "./fonts";

type Look = Resources.SiteCustomization;

const CORNERS = { straight: "0", rounded: "8px", circular: "16px" } as const;

/** The lines of a site. Colours have been checked by the API: nothing but hexadecimal digits comes through. */
export function themeOf(look: Look): string {
  const { styling } = look;
  const { primaryColor, infoColor, successColor, warningColor, dangerColor, corners } = styling;
  const colors = {
    accent: primaryColor,
    info: infoColor,
    success: successColor,
    warning: warningColor,
    danger: dangerColor,
  };
  const inTheme = (theme: "light" | "dark") =>
    Object.entries(colors)
      .map(([name, color]) => `--${name}:${hexOnly(color[theme])};`)
      .join("");
  const dark = inTheme("dark");
  return `${fontsOf(look)}:root{${inTheme("light")}--corner:${CORNERS[corners]}}:root.dark{${dark}}@media(prefers-color-scheme:dark){:root.device{${dark}}}`;
}

function hexOnly(color: string): string {
  return /^#[0-9a-fA-F]{3,8}$/.test(color) ? color : "currentColor";
}

/** The class of the page that chooses between light and dark. */
export function themeClass({ themes }: Look): string {
  return themes.followsDevice ? "device" : themes.default;
}
