// Entity tags: a digest of the bytes of an answer, or what the operation names as its version.

/** The quoted tag of an answer; `text` is its JSON, where the caller has it already. */
export function etagOf(answer: unknown, text = JSON.stringify(answer)): string {
  return `"${digest(text)}"`;
}

/** The quoted tag of a version that an operation names. */
export function versionTag(version: string): string {
  return `"${version}"`;
}

/** Whether a tag is only the first part: the digest of the answer has to be added to it. */
export function isOpenEnded(tag: string): boolean {
  return tag.endsWith('~"');
}

/** A tag that is only the first part, completed with the digest of the answer's text. */
export function closedTag(tag: string, text: string): string {
  return `${tag.slice(0, -1)}${digest(text)}"`;
}

/** Whether an `If-Match` or `If-None-Match` header names the tag. Weak tags are compared by their value. The part after
 * a `~` is for caches. A writer may leave it out, and then names only the version. */
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

/** A multiplicative hash in four lanes, 128 bits. It does not have to be waited for, as a cryptographic one would. It
 * protects nothing. */
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
