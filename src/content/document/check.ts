// Checks documents from outside against their types, before anybody trusts a field. Everything unknown is refused. An
// unknown block has one form, `unknown`, which holds text.

import type { BlockData, InlineData } from ".";
import { MAX_DOCUMENT_DEPTH, MAX_DOCUMENT_NODES } from "./limits";
import {
  BLOCK_DATA,
  type Check,
  flag,
  free,
  INLINE_DATA,
  id,
  isRecord,
  join,
  listOf,
  mark,
  oneOf,
  type Report,
  record,
  text,
} from "./shapes";

/** Something wrong with a document: where, as member names and indexes with dots between, and what. */
export interface DocumentIssue {
  path: string;
  message: string;
}

/** After this many issues, the check stops. */
const MAX_ISSUES = 100;

/** What may stand inside a block. */
type Inside = "phrasing" | "blocks" | "texts" | "nothing" | readonly (keyof BlockData)[];

/** Blocks that are allowed only inside another one. */
const WHOLES: readonly (readonly [whole: keyof BlockData, part: keyof BlockData])[] = [
  ["list-ordered", "list-item"],
  ["list-unordered", "list-item"],
  ["list-tasks", "list-item"],
  ["images", "image"],
  ["code", "code-line"],
  ["tabs", "tabs-item"],
  ["stepper", "stepper-step"],
  ["columns", "column"],
  ["updates", "update"],
];
const PARTS = new Set<unknown>(WHOLES.map(([, part]) => part));
const HOLDERS = new Set<keyof BlockData>([
  "list-item",
  "blockquote",
  "hint",
  "if",
  "tabs-item",
  "stepper-step",
  "column",
  "update",
  "unknown",
]);
const INSIDE = new Map<string, Inside>([
  ...(Object.keys(BLOCK_DATA) as (keyof BlockData)[]).map((type): [string, Inside] => [
    type,
    HOLDERS.has(type) ? "blocks" : "nothing",
  ]),
  ...WHOLES.map(([whole, part]): [string, Inside] => [whole, [part]]),
  ["paragraph", "phrasing"],
  ["heading-1", "phrasing"],
  ["heading-2", "phrasing"],
  ["heading-3", "phrasing"],
  ["code-line", "texts"],
]);
const FRAGMENTS = new Map<string, readonly string[]>([
  ["image", ["caption"]],
  ["file", ["caption"]],
  ["embed", ["caption"]],
  ["expandable", ["expandable-title", "expandable-body"]],
  ["table", ["cell", "caption", "column-title"]],
  ["annotation", ["annotation-body"]],
]);

const leaf = record({ object: oneOf("leaf"), text, marks: listOf(mark) });
const unchecked: Check = () => {};
const elementMembers = {
  type: unchecked,
  "key?": id,
  "isVoid?": flag,
  "data?": unchecked,
  "nodes?": unchecked,
  "fragments?": unchecked,
} as const;
const blockMembers = record({ object: oneOf("block"), ...elementMembers, "meta?": record({ "id?": text }) });
const inlineMembers = record({ object: oneOf("inline"), ...elementMembers });
const textMembers = record({ object: oneOf("text"), "key?": id, leaves: unchecked });
const fragmentMembers = record({
  object: oneOf("fragment"),
  "key?": id,
  "fragment?": id,
  "type?": unchecked,
  nodes: unchecked,
});

/** Checks a whole document, step by step; an empty list says that it is one. */
export function* checkInSteps(value: unknown): Generator<void, DocumentIssue[]> {
  const checker = new Checker();
  yield* checker.document(value);
  return checker.issues;
}

/** The same, at once. */
export function checkDocument(value: unknown): DocumentIssue[] {
  for (const steps = checkInSteps(value); ; ) {
    const { done, value: issues } = steps.next();
    if (done) return issues;
  }
}

/** How many nodes are checked in one step. */
const STEP = 500;

class Checker {
  readonly issues: DocumentIssue[] = [];
  #nodes = 0;

  readonly #report: Report = (path, message) => {
    if (this.issues.length < MAX_ISSUES) this.issues.push({ path, message });
  };

  *document(value: unknown): Generator<void, void> {
    record({ object: oneOf("document"), data: free, nodes: unchecked })(value, "", this.#report);
    if (isRecord(value)) yield* this.#blocks(value.nodes, "nodes", 1, undefined);
  }

  /** Counts a node; false when there are too many, or they stand too deep. */
  #mayEnter(path: string, depth: number): boolean {
    this.#nodes++;
    if (this.#nodes === MAX_DOCUMENT_NODES + 1) this.#report(path, `is one node more than ${MAX_DOCUMENT_NODES}`);
    if (depth > MAX_DOCUMENT_DEPTH) this.#report(path, `is nested deeper than ${MAX_DOCUMENT_DEPTH}`);
    return this.#nodes <= MAX_DOCUMENT_NODES && depth <= MAX_DOCUMENT_DEPTH && this.issues.length < MAX_ISSUES;
  }

  *#each(
    value: unknown,
    path: string,
    depth: number,
    check: (item: Record<string, unknown>, path: string) => Generator<void, void> | undefined,
  ): Generator<void, void> {
    if (!Array.isArray(value)) {
      this.#report(path, "is not a list");
      return;
    }
    for (const [i, item] of value.entries()) {
      const at = `${path}.${i}`;
      if (!this.#mayEnter(at, depth)) return;
      if (this.#nodes % STEP === 0) yield;
      const inside = isRecord(item) ? check(item, at) : undefined;
      if (inside) yield* inside;
      else if (!isRecord(item)) this.#report(at, "is not an object");
    }
  }

  #blocks(value: unknown, path: string, depth: number, allowed: readonly string[] | undefined): Generator<void, void> {
    return this.#each(value, path, depth, (block, at) => {
      blockMembers(block, at, this.#report);
      const type =
        typeof block.type === "string" && INSIDE.has(block.type) ? (block.type as keyof BlockData) : undefined;
      if (type === undefined)
        this.#report(join(at, "type"), "is not a type of block; what is not known has the type unknown");
      else if (allowed ? !allowed.includes(type) : PARTS.has(type))
        this.#report(join(at, "type"), "does not belong here");
      else return this.#block(type, block, at, depth);
      return undefined;
    });
  }

  *#block(type: keyof BlockData, block: Record<string, unknown>, path: string, depth: number): Generator<void, void> {
    BLOCK_DATA[type](block.data === undefined ? {} : block.data, join(path, "data"), this.#report);
    const inside = INSIDE.get(type)!;
    const at = join(path, "nodes");
    if (inside === "phrasing") yield* this.#phrasing(block.nodes, at, depth + 1, false);
    else if (inside === "texts") yield* this.#phrasing(block.nodes, at, depth + 1, true);
    else if (inside === "nothing") yield* this.#phrasing(block.nodes ?? [], at, depth + 1, true);
    else if (type !== "unknown" || block.nodes !== undefined) {
      yield* this.#blocks(block.nodes, at, depth + 1, inside === "blocks" ? undefined : inside);
    }
    yield* this.#fragments(type, block.fragments, join(path, "fragments"), depth + 1);
  }

  #phrasing(value: unknown, path: string, depth: number, isTextOnly: boolean): Generator<void, void> {
    return this.#each(value, path, depth, (node, at) => {
      if (node.object === "text") return this.#text(node, at, depth);
      if (node.object === "inline" && !isTextOnly) return this.#inline(node, at, depth);
      this.#report(join(at, "object"), isTextOnly ? "is not text" : "is not text or inline");
      return undefined;
    });
  }

  #text(node: Record<string, unknown>, path: string, depth: number): Generator<void, void> {
    textMembers(node, path, this.#report);
    return this.#each(node.leaves, join(path, "leaves"), depth + 1, (item, at) => {
      leaf(item, at, this.#report);
      return undefined;
    });
  }

  *#inline(node: Record<string, unknown>, path: string, depth: number): Generator<void, void> {
    inlineMembers(node, path, this.#report);
    const type = node.type;
    if (typeof type !== "string" || !Object.hasOwn(INLINE_DATA, type)) {
      this.#report(join(path, "type"), "is not a type of inline");
      return;
    }
    INLINE_DATA[type as keyof InlineData](node.data === undefined ? {} : node.data, join(path, "data"), this.#report);
    const holdsText = type === "link" || type === "annotation";
    yield* this.#phrasing(holdsText ? node.nodes : (node.nodes ?? []), join(path, "nodes"), depth + 1, !holdsText);
    yield* this.#fragments(type, node.fragments, join(path, "fragments"), depth + 1);
  }

  *#fragments(owner: string, value: unknown, path: string, depth: number): Generator<void, void> {
    if (value === undefined) return;
    const types = FRAGMENTS.get(owner) ?? [];
    yield* this.#each(value, path, depth, (fragment, at) => {
      fragmentMembers(fragment, at, this.#report);
      if (!types.includes(fragment.type as string))
        this.#report(join(at, "type"), "is not a fragment that belongs here");
      else return this.#blocks(fragment.nodes, join(at, "nodes"), depth + 1, undefined);
      return undefined;
    });
  }
}
