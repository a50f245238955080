// Texts for people inside of other syntax: titles of links and images, attributes of elements and tags. Each pattern is bounded, so that
// the search takes linear time.

/** The title at the end of a link, an image or a definition. */
export const TITLE = /(?<=[\s>]")((?:[^"\\\r\n]|\\.){1,1000})(?="[ \t]*(?:\)[ \t]*)?$)/;
/** Attributes of HTML elements that people read. */
export const ATTRIBUTE = /(?<=\s(?:alt|title)\s{0,9}=\s{0,9}")[^"<>\r\n]{1,1000}(?=")/gi;
/** Attributes of tags that people read. */
export const ARGUMENT = /(?<=\s(?:title|summary|description|caption|label|alt)=")(?:[^"\\\r\n]|\\.){1,1000}(?=")/g;

/** The most characters of a source that are searched for inner texts. */
export const MAX_SOURCE_LENGTH = 1000;

/** Returns a source without the texts inside of it, which may be in any language. Long sources stay as they are. */
export function removeInnerTexts(source: string): string {
  if (source.length > MAX_SOURCE_LENGTH) return source;
  return source
    .replace(TITLE, "")
    .replace(/^<[^>]*>$/, (tag) => tag.replace(ATTRIBUTE, ""))
    .replace(/^\{%.*%\}$/s, (tag) => tag.replace(ARGUMENT, ""));
}
