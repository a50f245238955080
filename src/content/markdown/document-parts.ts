// The parts of documents that importers and translations create and read as the reader of Markdown does.

export { Anchors, isAnchor } from "./reader/anchors";
export { createCaption, readParagraphImages } from "./reader/figures";
export { addMark, createTextNode, isEmpty, isSameMark, Phrases } from "./reader/leaves";
export { countWords, getPhrasingText } from "./reader/words";
