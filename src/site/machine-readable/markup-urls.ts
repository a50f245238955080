// The addresses in markup that this reader wrote. Every attribute there has quotes, and no quote stands in a text, so that they
// are found without a parser.

import { escapeHtml } from "../../utils/html";

const ADDRESSES = /(\s(?:href|src|srcset|poster|action|data)=")([^"]*)"/g;
const UNESCAPES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** All addresses, each once. */
export function collectMarkupUrls(markup: string): Set<string> {
  const found = new Set<string>();
  replaceMarkupUrls(markup, (address) => {
    found.add(address);
    return address;
  });
  return found;
}

/** Markup in which each address is what `change` makes of it. */
export function replaceMarkupUrls(markup: string, change: (address: string) => string): string {
  return markup.replace(ADDRESSES, (_, before: string, value: string) => {
    const address = unescapeAttribute(value);
    const changed = before.includes("srcset") ? replaceSrcsetUrls(address, change) : change(address);
    return `${before}${escapeHtml(changed)}"`;
  });
}

/** An attribute's value as it is meant. */
function unescapeAttribute(value: string): string {
  return value.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => UNESCAPES[name]!);
}

/** `a.png 1x, b.png 2x`: an address ends at a space. */
function replaceSrcsetUrls(set: string, change: (address: string) => string): string {
  return set
    .split(/,\s+/)
    .map((source) => {
      const [address = "", ...size] = source.trim().split(/\s+/);
      return [change(address), ...size].join(" ");
    })
    .join(", ");
}
