// The fonts that a site chose. Nothing is asked of other hosts: a font with a name is the one on the reader's device, if it has
// it, and one like it otherwise. Fonts of the organization's own come from where it says.

import type { Look } from "./visit";

type Font = Look["styling"]["font"] | Look["styling"]["monospaceFont"];

const SANS = 'system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif';
const SERIF = 'ui-serif,Georgia,"Noto Serif",serif';
const MONO = 'ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace';
const SERIFS = new Set(["RobotoSlab", "Merriweather", "IBMPlexSerif"]);

/** The rules for the fonts of a look: `@font-face` for those that are fetched, then the two lists. */
export function fontsOf({ styling: { font, monospaceFont } }: Look): string {
  const faces = [font, monospaceFont].map(facesOf).join("");
  return `${faces}:root{--font:${familyOf(font)},${typeof font === "string" && SERIFS.has(font) ? SERIF : SANS};--mono:${familyOf(monospaceFont)},${MONO}}`;
}

/** The name of a font, as devices have it: `SourceSansPro` is "Source Sans Pro". */
function familyOf(font: Font): string {
  if (typeof font !== "string") return quoted(font.fontFamily);
  const spaced = font.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/^(IBM|ABC|DM)/, "$1 ");
  return spaced === font ? quoted(font) : `${quoted(spaced)},${quoted(font)}`;
}

function facesOf(font: Font): string {
  if (typeof font === "string") return "";
  return font.fontFaces
    .map(({ weight, style, sources }) => {
      const from = sources.map(
        ({ url, format }) => `url(${quoted(url)})${format === undefined ? "" : ` format("${format}")`}`,
      );
      return `@font-face{font-family:${quoted(font.fontFamily)};font-weight:${weight};font-style:${style};font-display:swap;src:${from.join(",")}}`;
    })
    .join("");
}

/** A string of CSS, which stands in an element of HTML: no sign in it can end either. */
function quoted(text: string): string {
  return `"${text.replace(/["\\<>\p{Cc}]/gu, (sign) => `\\${sign.codePointAt(0)!.toString(16)} `)}"`;
}
