// Anchors: what a link puts behind `#`.

import type { Steps } from "../../../utils/concurrency/steps";
import type * as md from "../nodes";

/** The name of an anchor that a text gives itself, with `<a id="name"></a>`; undefined for one that none can be. */
export function statedAnchor({ id, name }: Readonly<Record<string, string>>): string | undefined {
  const stated = id ?? name;
  return stated !== undefined && isAnchor(stated) ? stated : undefined;
}

/** Whether a name can be one of an anchor. */
export function isAnchor(name: string): boolean {
  return /^[^\s"'<>&]{1,256}$/.test(name);
}

/** A tag that has an id, or a name if it is an `<a>`. Each part is bounded, so that the search stays linear. */
const TAG_WITH_ID =
  /<(?:a\b[^<>]{0,500}?\s(?:id|name)|[a-z][^<>]{0,500}?\sid)\s{0,9}=\s{0,9}(?:"([^"<>]{1,256})"|'([^'<>]{1,256})'|([^\s"'<>]{1,256}))/gi;

/** The ids of the elements in the HTML of a text, in their order. */
export function* idsIn(text: string, root: md.Root): Steps<string[]> {
  if (!/\s(?:id|name)\s*=/i.test(text)) return [];
  const ids: string[] = [];
  const add = (html: string) => {
    for (const [, ...forms] of html.replace(/<!--[\s\S]*?(?:-->|$)/g, "").matchAll(TAG_WITH_ID)) {
      const id = forms.find((it) => it !== undefined)!;
      if (isAnchor(id)) ids.push(id);
    }
  };
  const visit = (node: md.Node): void => {
    if (node.type === "html") add(node.value);
    if (node.type === "details") add(text.slice(node.start, node.children[0]?.start ?? node.end));
    if ("children" in node) for (const child of node.children) visit(child);
  };
  for (const block of root.children) {
    visit(block);
    yield;
  }
  return ids;
}

/** Gives out the anchors of one text; no two are the same. */
export class Anchors {
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();

  /** `stated` are the anchors that headings give themselves: those come first. */
  constructor(stated: Iterable<string>) {
    for (const anchor of stated) this.#taken.add(anchor);
  }

  /** An anchor made of a heading's text. */
  anchorFor(text: string): string {
    const wanted = slug(text) || "section";
    let anchor = wanted;
    let number = this.#next.get(wanted) ?? 0;
    while (this.#taken.has(anchor)) anchor = `${wanted}-${++number}`;
    this.#next.set(wanted, number);
    this.#taken.add(anchor);
    return anchor;
  }
}

/** Lower case, spaces as dashes, without punctuation. */
function slug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}
