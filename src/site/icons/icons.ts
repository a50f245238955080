// Icons by the names of Font Awesome, as far as its icons are free, drawn into the page where they are used. What has their
// shapes is loaded with the first page that shows one.

import { unzlibSync } from "fflate";
import type * as Resources from "../../generated/resources";
import { html, type Markup } from "../../utils/html";
import { loadLazily } from "../../utils/lazy";

/** Draws an icon; undefined when there is none of that name. */
export type RenderIcon = (name: string) => Markup | undefined;

type FreeIconStyle = "solid" | "regular" | "brands";
type IconStyle = Resources.SiteCustomization["styling"]["icons"];

/** The styles that are free, in the order in which they stand for the one that is wanted. */
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

/** What draws icons in the style of a site. */
export async function loadIconRenderer(wanted: IconStyle): Promise<RenderIcon> {
  const { shapes, names } = await loadIconPaths();
  return (given) => {
    const name = normalizeIconName(given);
    const known = names.get(name) ?? name;
    const shape = STYLES[wanted].map((style) => shapes.get(`${known} ${style}`)).find((it) => it !== undefined);
    return shape === undefined ? undefined : renderSvgIcon(shape);
  };
}

/** `fa-book`, `fas fa-book` and `solid/book` are `book`. */
function normalizeIconName(name: string): string {
  return name.trim().toLowerCase().split(/[\s/]/).at(-1)!.replace(/^fa-/, "");
}

function renderSvgIcon(shape: string): Markup {
  const [width, height] = shape.split(" ", 2);
  const path = shape.slice(width!.length + height!.length + 2);
  return html`<svg class="icon" aria-hidden="true" viewBox="0 0 ${width} ${height}"><path d="${path}"/></svg>`;
}
