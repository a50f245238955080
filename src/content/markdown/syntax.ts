// The scanners of Markdown's syntax, for code that finds or edits parts of a text in place.

export { toAltText } from "./parser/alt-text";
export { decodeReferences } from "./parser/character-references";
export { classifyCharacter, skipWhitespace } from "./parser/characters";
export { scanHtml } from "./parser/html";
export { scanDestination, scanLabel, scanResource } from "./parser/link-parts";
export { createOffsetMap } from "./parser/offset-map";
