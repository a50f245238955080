// Texts inside XML. The templates of markup escape what has a meaning; some characters cannot stand in XML at all.

const INVALID_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu;

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** A text without the characters that no XML may hold. */
export function removeInvalidXml(text: string): string {
  return text.replace(INVALID_XML, "");
}
