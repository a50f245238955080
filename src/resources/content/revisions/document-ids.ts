// The ids of documents. An id names a page or a reusable content, and the text that it had: equal texts of one source have equal
// ids. So a document is found through its source, and the caller needs the right to read that source.

import { idPrefixes } from "../../../storage/ids";

/** The number of characters of a text's hash in an id: enough to tell the texts of one page apart. */
const HASH_CHARACTERS = 24;

const pagePrefix = `${idPrefixes.page}_`;
const reusablePrefix = `${idPrefixes.reusableContent}_`;
const idPattern = new RegExp(`^doc_((?:${reusablePrefix})?)([0-9a-z]{1,32})_[0-9a-f]{${HASH_CHARACTERS}}$`);

/** Creates the id of the document of a page or a reusable content. `body` is the hash of its text. */
export function createDocumentId({ id, body }: { readonly id: string; readonly body: string }): string {
  // The prefix of a page is left out, as in the ids from before reusable contents had documents.
  const source = id.startsWith(pagePrefix) ? id.slice(pagePrefix.length) : id;
  return `doc_${source}_${body.slice(0, HASH_CHARACTERS)}`;
}

/** Returns the id of the page or the reusable content that a document's id names, or undefined if it is not such an id. */
export function findDocumentSource(documentId: string): string | undefined {
  const match = idPattern.exec(documentId);
  return match ? (match[1] || pagePrefix) + match[2]! : undefined;
}
