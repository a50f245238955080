// The fonts of a site. A named font is not loaded from another host: it is used if the reader's device has it, otherwise a similar
// one. Custom fonts are loaded from the URLs that the organization has given.

import type { SiteCustomization } from "../request/request-context";

type Font = SiteCustomization["styling"]["font"] | SiteCustomization["styling"]["monospaceFont"];

const SANS_FALLBACK = 'system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif';
const SERIF_FALLBACK = 'ui-serif,Georgia,"Noto Serif",serif';
const MONO_FALLBACK = 'ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace';
const SERIF_FONTS = new Set(["RobotoSlab", "Merriweather", "IBMPlexSerif"]);

/** Renders the rules for the fonts of a customization: `@font-face` for custom fonts, then the font families. */
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
