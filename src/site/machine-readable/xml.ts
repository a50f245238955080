// Text inside XML. HTML templates escape special characters, but some characters are not allowed in XML at all.

const INVALID_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu;

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Removes the characters that XML does not allow. */
export function removeInvalidXml(text: string): string {
  return text.replace(INVALID_XML, "");
}
