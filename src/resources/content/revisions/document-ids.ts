// The ids of documents. An id names a page or a reusable content, and the text that it held: equal texts of one have equal
// ids. So a document is found by what holds it, and the caller's right is the right to read that.

import { kinds } from "../../../storage/ids";

/** How much of the name of a text an id holds, as `wellFormed` has it: enough to tell the texts of one page apart. */
const TEXT_CHARACTERS = 24;

const page = `${kinds.page}_`;
const reusable = `${kinds.reusableContent}_`;
const wellFormed = new RegExp(`^doc_((?:${reusable})?)([0-9a-z]{1,32})_[0-9a-f]{24}$`);

/** The id of the document of a page or a reusable content; `body` is the name of its text. */
export function documentIdOf({ id, body }: { readonly id: string; readonly body: string }): string {
  // The kind of a page is left out: ids that were given away before reusable contents had any have none.
  return `doc_${id.startsWith(page) ? id.slice(page.length) : id}_${body.slice(0, TEXT_CHARACTERS)}`;
}

/** The page or the reusable content that an id of a document names; undefined when it is no such id. */
export function findDocumentSource(documentId: string): string | undefined {
  const found = wellFormed.exec(documentId);
  return found ? (found[1] || page) + found[2]! : undefined;
}
