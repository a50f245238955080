// The free icons of Font Awesome, as inline SVG. Their shapes are loaded with the first page that shows an icon.

import { unzlibSync } from "fflate";
import type * as Resources from "../../generated/resources";
import { html, type Markup } from "../../utils/html";
import { loadLazily } from "../../utils/lazy";

/** Renders an icon. Returns undefined if there is none of that name. */
export type RenderIcon = (name: string) => Markup | undefined;

type FreeIconStyle = "solid" | "regular" | "brands";
type IconStyle = Resources.SiteCustomization["styling"]["icons"];

/** The free styles, in the order in which they replace each style. */
const STYLES: Readonly<Record<IconStyle, readonly FreeIconStyle[]>> = {
  regular: ["regular", "solid", "brands"],
  light: ["regular", "solid", "brands"],
  thin: ["regular", "solid", "brands"],
  solid: ["solid", "brands", "regular"],
  duotone: ["solid", "brands", "regular"],
};

const loadIconPaths = loadLazily(async () => {
  const { drawings } = await import("./drawings");
  const bytes = Uint8Array.from(atob(drawings), (letter) => letter.charCodeAt(0));
  const lines = new TextDecoder().decode(unzlibSync(bytes)).split("\n");
  const shapes = new Map<string, string>();
  const names = new Map<string, string>();
  for (const line of lines) {
    const [name = "", style = "", rest = ""] = line.split(" ", 3);
    if (style === "=") names.set(name, rest);
    else shapes.set(`${name} ${style}`, line.slice(name.length + style.length + 2));
  }
  return { shapes, names };
});

export async function loadIconRenderer(iconStyle: IconStyle): Promise<RenderIcon> {
  const { shapes, names } = await loadIconPaths();
  return (icon) => {
    // `fa-book`, `fas fa-book` and `solid/book` are all `book`.
    const name = icon.trim().toLowerCase().split(/[\s/]/).at(-1)!.replace(/^fa-/, "");
    const canonicalName = names.get(name) ?? name;
    const shape = STYLES[iconStyle]
      .map((style) => shapes.get(`${canonicalName} ${style}`))
      .find((it) => it !== undefined);
    if (shape === undefined) return undefined;
    const [width = "", height = ""] = shape.split(" ", 2);
    const path = shape.slice(width.length + height.length + 2);
    return html`<svg class="icon" aria-hidden="true" viewBox="0 0 ${width} ${height}"><path d="${path}"/></svg>`;
  };
}
