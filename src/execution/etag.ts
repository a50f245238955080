// ETags: a digest of a response's text, or the version that its operation declares.

/** The longest `If-Match` or `If-None-Match` header that is evaluated. */
export const MAX_ETAG_HEADER_LENGTH = 4096;

/** Returns true if an ETag is only the first part of one: the digest of the response has to be appended. */
export function isIncompleteETag(etag: string): boolean {
  return etag.endsWith('~"');
}

/**
 * Returns true if an `If-Match` or `If-None-Match` header names the ETag. Weak ETags are compared by their value. The part after
 * a `~` matters to caches only. With `ignoreCaching` it is left out of the comparison, because a writer may name just the version.
 */
export function matchesETag(header: string, etag: string, { ignoreCaching = false } = {}): boolean {
  if (header.trim() === "*") return true;
  const candidates = header.split(",").map((item) => item.trim().replace(/^W\//, ""));
  const [expected, ...given] = [etag, ...candidates].map((tag) => {
    const tilde = ignoreCaching && tag.endsWith('"') ? tag.indexOf("~") : -1;
    return tilde < 0 ? tag : `${tag.slice(0, tilde)}"`;
  });
  return given.includes(expected!);
}

/**
 * Returns the digest of a response's text for its ETag: a multiplicative hash in four lanes, 128 bits. Unlike a cryptographic one,
 * it is computed synchronously. It protects nothing.
 */
export function computeDigest(text: string): string {
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
