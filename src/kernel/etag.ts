// Entity tags: a digest of the bytes of an answer, or what the operation names as its version.

import type { Operation } from "../operation";

/** The quoted tag of an answer; `text` is its JSON, where the caller has it already. */
export function etagOf(operation: Operation, answer: unknown, text = JSON.stringify(answer)): string {
  const { etag } = operation.spec;
  return `"${etag ? etag(answer as never) : digest(text)}"`;
}

/** Whether an `If-Match` or `If-None-Match` header names the tag. Weak tags compare by their value. */
export function matches(header: string, tag: string): boolean {
  if (header.trim() === "*") return true;
  return header.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === tag);
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
