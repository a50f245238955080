// The anchors of a page. Any element may have a name that links lead to. A name is pending until the next line or heading
// takes it as an anchor.

import type { Block, Inline, Phrasing } from "../../content/document";
import { isAnchor } from "../../content/markdown/document-parts";
import type { Steps } from "../../utils/concurrency/steps";
import { omitUndefined } from "../../utils/objects";
import { getAttribute, toWordSet } from "./elements";
import type { HtmlElement } from "./parse-html";

/** Ids of containers that themes have on every page. Nobody links to them. */
const CONTAINER_IDS = toWordSet(
  "header content main page container wrapper body document maincontent pagecontent bodycontent root app",
);

export class PageAnchors {
  /** The anchors of the title, which lead to the top of the page. */
  readonly titleAnchors: string[] = [];
  readonly #seen = new Set<string>();
  #pending: string[] = [];

  collect(element: HtmlElement): void {
    if (element.attributes.size === 0) return;
    const isContainer = /^(?:div|main|article|body|table)$/.test(element.name);
    if (isContainer && CONTAINER_IDS.has(getAttribute(element, "id").toLowerCase())) return;
    for (const name of [getAttribute(element, "id"), element.name === "a" ? getAttribute(element, "name") : ""]) {
      if (name === "" || this.#seen.has(name) || !isAnchor(name)) continue;
      this.#seen.add(name);
      this.#pending.push(name);
    }
  }

  /** Records the pending anchors as those of the title. */
  assignToTitle(): void {
    this.titleAnchors.push(...this.#pending);
  }

  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  /** Returns the pending anchors, which are no longer pending then. */
  takePending(): string[] {
    const pending = this.#pending;
    this.#pending = [];
    return pending;
  }
}

export function createAnchor(id: string): Inline {
  return { object: "inline", type: "anchor", isVoid: true, data: { id } };
}

/** Removes some of the anchors of blocks. A paragraph of nothing else is removed with them. */
export function* removeAnchorsInSteps(blocks: readonly Block[], isRemoved: (id: string) => boolean): Steps<Block[]> {
  const remaining: Block[] = [];
  for (const block of blocks) {
    let nodes: (Block | Phrasing)[] | undefined;
    if (block.nodes) {
      nodes = [];
      for (const node of block.nodes) {
        if (node.object === "block") nodes.push(...(yield* removeAnchorsInSteps([node], isRemoved)));
        else if (node.object === "text" || node.type !== "anchor" || !isRemoved(node.data.id)) nodes.push(node);
      }
    }
    const fragments = block.fragments?.slice();
    for (const [i, fragment] of fragments?.entries() ?? [])
      fragments![i] = { ...fragment, nodes: yield* removeAnchorsInSteps(fragment.nodes, isRemoved) };
    if (block.type === "paragraph" && block.nodes!.length > 0 && nodes!.length === 0) continue;
    remaining.push({ ...block, ...omitUndefined({ nodes, fragments }) } as Block);
  }
  yield;
  return remaining;
}
