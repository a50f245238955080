// The ids of documents. An id names a page and the text that it held: equal texts of a page have equal ids. So a
// document is found by its page, and the caller's right is the right to read that page.

import { kinds } from "../../../store/ids";

/** How much of the name of a text an id holds, as `wellFormed` has it: enough to tell the texts of one page apart. */
const TEXT_CHARACTERS = 24;

const page = `${kinds.page}_`;
const wellFormed = /^doc_([0-9a-z]{1,32})_[0-9a-f]{24}$/;

/** The id of the document of a page; `body` is the name of the page's text. */
export function documentIdOf({ id, body }: { readonly id: string; readonly body: string }): string {
  return `doc_${id.slice(page.length)}_${body.slice(0, TEXT_CHARACTERS)}`;
}

/** The page that an id of a document names; undefined when it is no such id. */
export function pageOfDocument(documentId: string): string | undefined {
  const found = wellFormed.exec(documentId);
  return found ? page + found[1]! : undefined;
}
