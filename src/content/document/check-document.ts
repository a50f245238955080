// Validates documents from clients against their types, before any other code relies on a member. Everything unknown is
// rejected. The type `unknown` is the one form for unknown blocks; it holds their text.

import { runStepsSync, type Steps } from "../../utils/concurrency/steps";
import { type BlockData, type InlineData, MAX_DOCUMENT_DEPTH, MAX_DOCUMENT_NODES } from ".";
import {
  BLOCK_DATA,
  type DataSchema,
  flag,
  INLINE_DATA,
  id,
  isRecord,
  joinPath,
  jsonObject,
  list,
  mark,
  picklist,
  type ReportIssue,
  record,
  text,
} from "./data-schemas";

/** A problem of a document: its place, as member names and indexes with dots between them, and a description. */
export interface DocumentIssue {
  path: string;
  message: string;
}

/** The validation stops after this many issues. */
const MAX_ISSUES = 100;

type AllowedNodes = "phrasing" | "blocks" | "texts" | "nothing" | readonly (keyof BlockData)[];

/** Block types that are allowed only inside another type. */
const PARTS: readonly (readonly [parent: keyof BlockData, part: keyof BlockData])[] = [
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
const PART_TYPES = new Set<unknown>(PARTS.map(([, part]) => part));
const CONTAINER_TYPES = new Set<keyof BlockData>([
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
const ALLOWED_NODES = new Map<string, AllowedNodes>([
  ...(Object.keys(BLOCK_DATA) as (keyof BlockData)[]).map((type): [string, AllowedNodes] => [
    type,
    CONTAINER_TYPES.has(type) ? "blocks" : "nothing",
  ]),
  ...PARTS.map(([parent, part]): [string, AllowedNodes] => [parent, [part]]),
  ["paragraph", "phrasing"],
  ["heading-1", "phrasing"],
  ["heading-2", "phrasing"],
  ["heading-3", "phrasing"],
  ["code-line", "texts"],
]);
const FRAGMENT_TYPES = new Map<string, readonly string[]>([
  ["image", ["caption"]],
  ["file", ["caption"]],
  ["embed", ["caption"]],
  ["expandable", ["expandable-title", "expandable-body"]],
  ["table", ["cell", "caption", "column-title"]],
  ["annotation", ["annotation-body"]],
]);

/** Accepts any value. `DocumentChecker` validates the members that have this schema. */
const anyValue: DataSchema = () => {};
const elementMembers = {
  type: anyValue,
  "key?": id,
  "isVoid?": flag,
  "data?": anyValue,
  "nodes?": anyValue,
  "fragments?": anyValue,
} as const;
const documentSchema = record({ object: picklist("document"), data: jsonObject, nodes: anyValue });
const blockSchema = record({ object: picklist("block"), ...elementMembers, "meta?": record({ "id?": text }) });
const inlineSchema = record({ object: picklist("inline"), ...elementMembers });
const textSchema = record({ object: picklist("text"), "key?": id, leaves: anyValue });
const leafSchema = record({ object: picklist("leaf"), text, marks: list(mark) });
const fragmentSchema = record({
  object: picklist("fragment"),
  "key?": id,
  "fragment?": id,
  "type?": anyValue,
  nodes: anyValue,
});

/** Returns the issues of a value that should be a document. The list is empty if it is one. */
export function checkDocument(value: unknown): DocumentIssue[] {
  return runStepsSync(checkDocumentInSteps(value));
}

const NODES_PER_STEP = 500;

/** Does the same as `checkDocument`, in steps. */
export function* checkDocumentInSteps(value: unknown): Steps<DocumentIssue[]> {
  const checker = new DocumentChecker(value);
  for (let count = 1; checker.checkNext(); count++) if (count % NODES_PER_STEP === 0) yield;
  return checker.issues;
}

interface OpenList {
  readonly value: unknown;
  readonly path: string;
  readonly depth: number;
  readonly checkItem: (item: Record<string, unknown>, path: string) => void;
  nextIndex: number;
}

/** Checks the nodes of a document one by one. The lists in a node are checked after it. */
class DocumentChecker {
  readonly issues: DocumentIssue[] = [];
  /** The innermost list last. */
  readonly #lists: OpenList[] = [];
  #nodeCount = 0;

  readonly #report: ReportIssue = (path, message) => {
    if (this.issues.length < MAX_ISSUES) this.issues.push({ path, message });
  };

  constructor(value: unknown) {
    documentSchema(value, "", this.#report);
    if (isRecord(value)) this.#openBlocks(value.nodes, "nodes", 1, undefined);
  }

  #openList(value: unknown, path: string, depth: number, checkItem: OpenList["checkItem"]): void {
    this.#lists.push({ value, path, depth, checkItem, nextIndex: 0 });
  }

  /** Checks the next node; false after the last. A list ends with its last node, or with the first that exceeds a limit. */
  checkNext(): boolean {
    const list = this.#lists.at(-1);
    if (!list) return false;
    const { value, path, depth, checkItem } = list;
    const i = list.nextIndex++;
    if (!Array.isArray(value)) this.#report(path, "is not a list");
    if (!Array.isArray(value) || i >= value.length) {
      this.#lists.pop();
      return true;
    }
    const [item, itemPath]: [unknown, string] = [value[i], `${path}.${i}`];
    this.#nodeCount++;
    if (this.#nodeCount === MAX_DOCUMENT_NODES + 1)
      this.#report(itemPath, `is one node more than ${MAX_DOCUMENT_NODES}`);
    if (depth > MAX_DOCUMENT_DEPTH) this.#report(itemPath, `is nested deeper than ${MAX_DOCUMENT_DEPTH}`);
    if (this.#nodeCount > MAX_DOCUMENT_NODES || depth > MAX_DOCUMENT_DEPTH || this.issues.length >= MAX_ISSUES)
      this.#lists.pop();
    else if (isRecord(item)) checkItem(item, itemPath);
    else this.#report(itemPath, "is not an object");
    return true;
  }

  /** Opens a list of blocks. Without `allowed`, every type may occur that is not a part of another one. */
  #openBlocks(value: unknown, path: string, depth: number, allowed: readonly string[] | undefined): void {
    this.#openList(value, path, depth, (block, blockPath) => {
      blockSchema(block, blockPath, this.#report);
      const type =
        typeof block.type === "string" && ALLOWED_NODES.has(block.type) ? (block.type as keyof BlockData) : undefined;
      if (type === undefined)
        this.#report(joinPath(blockPath, "type"), "is not a type of block; what is not known has the type unknown");
      else if (allowed ? !allowed.includes(type) : PART_TYPES.has(type))
        this.#report(joinPath(blockPath, "type"), "does not belong here");
      else this.#checkBlock(type, block, blockPath, depth);
    });
  }

  // The list that is opened last is checked first.
  #checkBlock(type: keyof BlockData, block: Record<string, unknown>, path: string, depth: number): void {
    BLOCK_DATA[type](block.data === undefined ? {} : block.data, joinPath(path, "data"), this.#report);
    this.#openFragments(type, block.fragments, joinPath(path, "fragments"), depth + 1);
    const allowed = ALLOWED_NODES.get(type)!;
    const nodesPath = joinPath(path, "nodes");
    if (allowed === "phrasing") this.#openPhrasing(block.nodes, nodesPath, depth + 1, false);
    else if (allowed === "texts") this.#openPhrasing(block.nodes, nodesPath, depth + 1, true);
    else if (allowed === "nothing") this.#openPhrasing(block.nodes ?? [], nodesPath, depth + 1, true);
    else if (type !== "unknown" || block.nodes !== undefined)
      this.#openBlocks(block.nodes, nodesPath, depth + 1, allowed === "blocks" ? undefined : allowed);
  }

  #openPhrasing(value: unknown, path: string, depth: number, isTextOnly: boolean): void {
    this.#openList(value, path, depth, (node, nodePath) => {
      if (node.object === "text") {
        textSchema(node, nodePath, this.#report);
        this.#openList(node.leaves, joinPath(nodePath, "leaves"), depth + 1, (leaf, leafPath) =>
          leafSchema(leaf, leafPath, this.#report),
        );
      } else if (node.object === "inline" && !isTextOnly) this.#checkInline(node, nodePath, depth);
      else this.#report(joinPath(nodePath, "object"), isTextOnly ? "is not text" : "is not text or inline");
    });
  }

  #checkInline(node: Record<string, unknown>, path: string, depth: number): void {
    inlineSchema(node, path, this.#report);
    const { type, data = {} } = node;
    if (typeof type !== "string" || !Object.hasOwn(INLINE_DATA, type)) {
      this.#report(joinPath(path, "type"), "is not a type of inline");
      return;
    }
    INLINE_DATA[type as keyof InlineData](data, joinPath(path, "data"), this.#report);
    this.#openFragments(type, node.fragments, joinPath(path, "fragments"), depth + 1);
    const hasText = type === "link" || type === "annotation";
    this.#openPhrasing(hasText ? node.nodes : (node.nodes ?? []), joinPath(path, "nodes"), depth + 1, !hasText);
  }

  #openFragments(ownerType: string, value: unknown, path: string, depth: number): void {
    if (value === undefined) return;
    const allowed = FRAGMENT_TYPES.get(ownerType) ?? [];
    this.#openList(value, path, depth, (fragment, fragmentPath) => {
      fragmentSchema(fragment, fragmentPath, this.#report);
      if (!allowed.includes(fragment.type as string))
        this.#report(joinPath(fragmentPath, "type"), "is not a fragment that belongs here");
      else this.#openBlocks(fragment.nodes, joinPath(fragmentPath, "nodes"), depth + 1, undefined);
    });
  }
}
