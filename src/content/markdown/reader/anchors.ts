// Anchors: the fragments that links have after `#`.

import type { Steps } from "../../../utils/concurrency/steps";
import type * as md from "../nodes";

/** Returns the name of an explicit anchor, `<a id="name"></a>`; undefined if it is not valid. */
export function getExplicitAnchor({ id, name }: Readonly<Record<string, string>>): string | undefined {
  const anchor = id ?? name;
  return anchor !== undefined && isAnchor(anchor) ? anchor : undefined;
}

export function isAnchor(name: string): boolean {
  return /^[^\s"'<>&]{1,256}$/.test(name);
}

/** A tag with an id, or an `<a>` with a name. Each part is bounded, so that the search stays linear. */
const TAG_WITH_ID =
  /<(?:a\b[^<>]{0,500}?\s(?:id|name)|[a-z][^<>]{0,500}?\sid)\s{0,9}=\s{0,9}(?:"([^"<>]{1,256})"|'([^'<>]{1,256})'|([^\s"'<>]{1,256}))/gi;

/** Collects the ids of the elements in the HTML of a text, in their order. */
export function* collectElementIds(text: string, root: md.RootNode): Steps<string[]> {
  if (!/\s(?:id|name)\s*=/i.test(text)) return [];
  const ids: string[] = [];
  const add = (html: string) => {
    for (const [, ...forms] of html.replace(/<!--[\s\S]*?(?:-->|$)/g, "").matchAll(TAG_WITH_ID)) {
      const id = forms.find((it) => it !== undefined)!;
      if (isAnchor(id)) ids.push(id);
    }
  };
  const visit = (node: md.SourceNode): void => {
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

/** Assigns the anchors of one text; no two are the same. */
export class Anchors {
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();

  /** `explicit` are the anchors that headings have themselves: those take precedence. */
  constructor(explicit: Iterable<string>) {
    for (const anchor of explicit) this.#taken.add(anchor);
  }

  /** Creates an anchor from a heading's text: lower case, spaces as dashes, without punctuation. */
  createAnchor(text: string): string {
    const slug = text
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
      .replaceAll(" ", "-");
    const base = slug || "section";
    let anchor = base;
    let number = this.#next.get(base) ?? 0;
    while (this.#taken.has(anchor)) anchor = `${base}-${++number}`;
    this.#next.set(base, number);
    this.#taken.add(anchor);
    return anchor;
  }
}
