// How texts for people are written inside of something else, and what is left of a source without them.

/** The title at the end of a link, an image or a definition. */
export const TITLE = /(?<=[\s>]")((?:[^"\\\r\n]|\\.){1,1000})(?="[ \t]*(?:\)[ \t]*)?$)/;
/** Attributes of elements and of tags that people read. Each is bounded, so that the search stays linear. */
export const ATTRIBUTE = /(?<=\s(?:alt|title)\s{0,9}=\s{0,9}")[^"<>\r\n]{1,1000}(?=")/gi;
export const ARGUMENT = /(?<=\s(?:title|summary|description|caption|label|alt)=")(?:[^"\\\r\n]|\\.){1,1000}(?=")/g;

/** Longer sources are taken as they are. */
export const MAX_SOURCE = 1000;

/** What a source is without the texts in it, which may be in any language. */
export function withoutInner(source: string): string {
  if (source.length > MAX_SOURCE) return source;
  return source
    .replace(TITLE, "")
    .replace(/^<[^>]*>$/, (tag) => tag.replace(ATTRIBUTE, ""))
    .replace(/^\{%.*%\}$/s, (tag) => tag.replace(ARGUMENT, ""));
}

/** The argument of a tag without the texts in it. */
export function argumentWithoutInner(argument: string): string {
  return ` ${argument}`.replace(ARGUMENT, "");
}
