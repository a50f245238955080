// Whether merged lines still form the blocks that they should. It counts how blocks are nested and what is torn: tags
// without their other half, fences that do not end, rows that do not fit their table, HTML that opens and never closes.
// A merged text must have as many of each as the two changes add up to.

import type { Block, Code, Html, MathBlock, Table } from "../markdown/nodes";
import { parseInSteps } from "../markdown/parse";
import type { Steps } from "../markdown/steps";
import { each, eachInSteps, type MergedText, type Versions } from "./versions";

/** Whether a merged text has the structure that follows from the texts that it comes from. */
export function* isSound({ text, conflicts }: MergedText, from: Versions): Steps<boolean> {
  const known = yield* eachInSteps(from, countsOf);
  const merged = yield* countsOf(text);
  const all = new Set([merged, known.base, known.ours, known.theirs].flatMap((counts) => [...counts.keys()]));
  for (const what of all) {
    const counts = each(known, (of) => of.get(what) ?? 0);
    const [least, most] = conflicts.length > 0 ? betweenOursAndBoth(counts) : together(counts);
    const count = merged.get(what) ?? 0;
    if (count < least || count > most) return false;
  }
  return true;
}

/** How many there should be after both changes. If both sides changed in the same direction, it may be the same
 * change. */
function together({ base, ours, theirs }: Versions<number>): [least: number, most: number] {
  const both = ours + theirs - base;
  if (ours > base && theirs > base) return [Math.max(ours, theirs), both];
  if (ours < base && theirs < base) return [both, Math.min(ours, theirs)];
  return [both, both];
}

/** Where ours was kept, some changes of theirs are missing. */
function betweenOursAndBoth({ base, ours, theirs }: Versions<number>): [least: number, most: number] {
  const both = ours + theirs - base;
  return [Math.min(ours, both), Math.max(ours, both)];
}

type Counts = Map<string, number>;
type Shaped = Block | Extract<Block, { type: "list" }>["children"][number];

function* countsOf(text: string): Steps<Counts> {
  const counts: Counts = new Map();
  // After an empty line, nothing is read as front matter.
  const source = `\n${text}`;
  const { children } = yield* parseInSteps(source);
  count(children, "text", source, counts);
  for (const [what, balance] of counts) if (balance === 0) counts.delete(what);
  return counts;
}

function count(nodes: readonly Shaped[], inside: string, source: string, counts: Counts): void {
  const add = (what: string, amount = 1) => counts.set(what, (counts.get(what) ?? 0) + amount);
  for (const node of nodes) {
    const kind = node.type === "tag" ? `tag ${node.name} ${node.close ? "and its end" : "alone"}` : node.type;
    add(`${kind} in ${inside}`);
    if (node.type === "code" && !isClosed(node, source)) add("fence without end");
    if (node.type === "math" && !isEnded(node, source)) add("formula without end");
    if (node.type === "table") add("row that does not fit", raggedRows(node, source));
    if (node.type === "html") for (const [tag, amount] of tagsIn(node)) add(tag, amount);
    if (isOfBlocks(node)) count(node.children, kind, source, counts);
  }
}

function isOfBlocks(node: Shaped): node is Extract<Shaped, { children: Shaped[] }> {
  return "children" in node && node.type !== "paragraph" && node.type !== "heading" && node.type !== "table";
}

/** Indented code needs no end. */
function isClosed({ start, end }: Code, source: string): boolean {
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(source.slice(start, start + 1000))?.[1];
  if (fence === undefined) return true;
  const last = source.slice(Math.max(start + fence.length, end - fence.length - 200), end).trimEnd();
  return last.endsWith(fence) && /(?:^|[\r\n])[ \t>]*(`+|~+)$/.exec(last)?.[1]?.[0] === fence[0];
}

function isEnded({ start, end }: MathBlock, source: string): boolean {
  return source
    .slice(start + 2, end)
    .trimEnd()
    .endsWith("$$");
}

/** How many rows have more or fewer cells than their table has columns. */
function raggedRows({ align, children }: Table, source: string): number {
  return children.filter(({ start, end }) => cellsIn(source.slice(start, end)) !== align.length).length;
}

function cellsIn(row: string): number {
  const pipes = row.trim().replace(/\\./gs, "").replace(/^\|/, "").replace(/\|$/, "").match(/\|/g);
  return (pipes?.length ?? 0) + 1;
}

const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));

/** Each tag of some HTML, and whether it opens or closes. */
function tagsIn({ value }: Html): [tag: string, amount: number][] {
  const tags = [...value.matchAll(/<(\/?)([a-z][a-z0-9-]*)/gi)];
  return tags.flatMap(([, slash, name]) => {
    const tag = name!.toLowerCase();
    return VOID.has(tag) ? [] : [[`<${tag}>`, slash === "" ? 1 : -1]];
  });
}
