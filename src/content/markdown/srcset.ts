// The address in `srcset`. Editors write one address there as it is, with its spaces, parentheses and commas; websites
// write a list of addresses with descriptors (`a.png 1x, b.png 2x`).

const DESCRIPTOR = /[ \t\r\n][0-9]+(?:\.[0-9]+)?[wxh](?=[ \t\r\n]*(?:,|$))/;
/** An address that a comma sets apart from a next one: it ends like the name of a file, or has no space in it. */
const FIRST = /^(?:[^\s,]+|.*?\.[A-Za-z0-9]{2,5})(?=,[ \t\r\n])/;

/** The first address of a `srcset`, without its descriptor. */
export function addressInSet(srcset: string): string {
  const set = srcset.trim();
  const descriptor = DESCRIPTOR.exec(set);
  if (!descriptor) return set;
  const first = set.slice(0, descriptor.index).trimEnd();
  return FIRST.exec(first)?.[0] ?? first;
}

/** An address as a `srcset` of its own. */
export function setOfAddress(address: string): string {
  return addressInSet(address) === address ? address : address.replace(/\s/g, encodeURIComponent);
}
