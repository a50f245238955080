// Anchors of a page: any element may have a name that links lead to. A name waits for the next line or heading, which
// carries it as an anchor.

import type { Block, Inline, Phrasing } from "../../content/document";
import { isAnchor } from "../../content/markdown/reader/anchors";
import type { Steps } from "../../content/markdown/steps";
import { omitUndefined } from "../../utils/objects";
import { attribute, words } from "./looking";
import type { Element } from "./tree";

/** The anchors of one page, each once. */
export class PageAnchors {
  readonly #seen = new Set<string>();
  #waiting: string[] = [];
  /** Those of the title: they lead to the top of the page. */
  readonly title: string[] = [];

  /** Takes note of the names of an element. */
  meet(element: Element): void {
    if (element.attributes.size === 0 || isFrame(element)) return;
    for (const name of [attribute(element, "id"), element.name === "a" ? attribute(element, "name") : ""]) {
      if (name === "" || this.#seen.has(name) || !isAnchor(name)) continue;
      this.#seen.add(name);
      this.#waiting.push(name);
    }
  }

  /** Takes note that those that wait are of the title of the page. */
  meetTitle(): void {
    this.title.push(...this.#waiting);
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Those that wait; they wait no longer. */
  take(): string[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }
}

/** Ids of containers that themes have on every page: nobody links to them. */
const FRAMES = words(
  "header content main page container wrapper body document maincontent pagecontent bodycontent root app",
);

function isFrame(element: Element): boolean {
  return /^(?:div|main|article|body|table)$/.test(element.name) && FRAMES.has(attribute(element, "id").toLowerCase());
}

/** An anchor in a line. */
export function anchorInline(id: string): Inline {
  return { object: "inline", type: "anchor", isVoid: true, data: { id } };
}

/** Blocks without some of their anchors, step by step. A paragraph of nothing else goes with them. */
export function* withoutAnchors(blocks: readonly Block[], isDropped: (id: string) => boolean): Steps<Block[]> {
  const left: Block[] = [];
  for (const block of blocks) {
    const nodes = block.nodes && (yield* withoutIn(block.nodes, isDropped));
    const fragments = block.fragments?.slice();
    for (const [at, fragment] of fragments?.entries() ?? [])
      fragments![at] = { ...fragment, nodes: yield* withoutAnchors(fragment.nodes, isDropped) };
    if (block.type === "paragraph" && block.nodes!.length > 0 && nodes!.length === 0) continue;
    left.push({ ...block, ...omitUndefined({ nodes, fragments }) } as Block);
  }
  yield;
  return left;
}

function* withoutIn(
  nodes: readonly (Block | Phrasing)[],
  isDropped: (id: string) => boolean,
): Steps<(Block | Phrasing)[]> {
  const left: (Block | Phrasing)[] = [];
  for (const node of nodes) {
    if (node.object === "block") left.push(...(yield* withoutAnchors([node], isDropped)));
    else if (node.object === "text" || node.type !== "anchor" || !isDropped(node.data.id)) left.push(node);
  }
  return left;
}
