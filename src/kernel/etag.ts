// Entity tags: a digest of the bytes of an answer, or what the operation names as its version.

/** The quoted tag of an answer; `text` is its JSON, where the caller has it already. */
export function etagOf(answer: unknown, text = JSON.stringify(answer)): string {
  return `"${digest(text)}"`;
}

/** The quoted tag of a version that an operation names. */
export function versionTag(version: string): string {
  return `"${version}"`;
}

/** Whether a tag is not all of it: what the answer says decides, too. */
export function isOpenEnded(tag: string): boolean {
  return tag.endsWith('~"');
}

/** A tag that is not all of it with the digest of the answer's text. */
export function closedTag(tag: string, text: string): string {
  return `${tag.slice(0, -1)}${digest(text)}"`;
}

/**
 * Whether an `If-Match` or `If-None-Match` header names the tag. Weak tags compare by their value. What follows a `~` in
 * a tag is for caches, and a writer who means a version need not know it.
 */
export function matches(header: string, tag: string, options: { readonly ignoreCaching?: boolean } = {}): boolean {
  if (header.trim() === "*") return true;
  const form = options.ignoreCaching ? withoutCaching : (it: string) => it;
  const wanted = form(tag);
  return header.split(",").some((candidate) => form(candidate.trim().replace(/^W\//, "")) === wanted);
}

/** The longest header of tags that is looked at. */
export const MAX_TAGS_LENGTH = 4096;

function withoutCaching(tag: string): string {
  const at = tag.endsWith('"') ? tag.indexOf("~") : -1;
  return at < 0 ? tag : `${tag.slice(0, at)}"`;
}

/** Four lanes of a multiplicative hash: 128 bits, without waiting for a cryptographic one. It guards nothing. */
function digest(text: string): string {
  let a = 0x243f6a88;
  let b = 0x85a308d3;
  let c = 0x13198a2e;
  let d = 0x03707344;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x9e3779b1);
    b = Math.imul(b ^ unit, 0x85ebca77) ^ (a >>> 15);
    c = Math.imul(c ^ unit, 0xc2b2ae3d) ^ (b >>> 13);
    d = Math.imul(d ^ unit, 0x27d4eb2f) ^ (c >>> 16);
  }
  return `${(a ^ d) >>> 0}-${(b ^ a) >>> 0}-${(c ^ b) >>> 0}-${(d ^ c) >>> 0}`;
}
