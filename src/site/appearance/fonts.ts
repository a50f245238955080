// The fonts that a site chose. Nothing is asked of other hosts: a font with a name is the one on the reader's device, if it has
// it, and one like it otherwise. Fonts of the organization's own come from where it says.

import type { SiteCustomization } from "../request/request-context";

type Font = SiteCustomization["styling"]["font"] | SiteCustomization["styling"]["monospaceFont"];

const SANS = 'system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif';
const SERIF = 'ui-serif,Georgia,"Noto Serif",serif';
const MONO = 'ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace';
const SERIFS = new Set(["RobotoSlab", "Merriweather", "IBMPlexSerif"]);

/** The rules for the fonts of a look: `@font-face` for those that are fetched, then the two lists. */
export function renderFontRules({ styling: { font, monospaceFont } }: SiteCustomization): string {
  const faces = [font, monospaceFont].map(renderFontFaces).join("");
  return `${faces}:root{--font:${formatFontFamily(font)},${typeof font === "string" && SERIFS.has(font) ? SERIF : SANS};--mono:${formatFontFamily(monospaceFont)},${MONO}}`;
}

/** The name of a font, as devices have it: `SourceSansPro` is "Source Sans Pro". */
function formatFontFamily(font: Font): string {
  if (typeof font !== "string") return quoteCssString(font.fontFamily);
  const spaced = font.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/^(IBM|ABC|DM)/, "$1 ");
  return spaced === font ? quoteCssString(font) : `${quoteCssString(spaced)},${quoteCssString(font)}`;
}

function renderFontFaces(font: Font): string {
  if (typeof font === "string") return "";
  return font.fontFaces
    .map(({ weight, style, sources }) => {
      const from = sources.map(
        ({ url, format }) => `url(${quoteCssString(url)})${format === undefined ? "" : ` format("${format}")`}`,
      );
      return `@font-face{font-family:${quoteCssString(font.fontFamily)};font-weight:${weight};font-style:${style};font-display:swap;src:${from.join(",")}}`;
    })
    .join("");
}

/** A string of CSS, which stands in an element of HTML: no sign in it can end either. */
function quoteCssString(text: string): string {
  return `"${text.replace(/["\\<>\p{Cc}]/gu, (sign) => `\\${sign.codePointAt(0)!.toString(16)} `)}"`;
}
