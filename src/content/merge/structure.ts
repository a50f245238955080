// Checks that merged lines still form the blocks that they should. It counts how blocks are nested and what is torn: tags without
// their other half, fences without end, rows that do not fit their table, HTML elements that are never closed. A merged text must
// have as many of each as both changes together.

import type { Steps } from "../../utils/concurrency/steps";
import type { BlockNode } from "../markdown/nodes";
import { parseMarkdownInSteps } from "../markdown/parse";
import { type MergedText, mapVersions, type Versions } from "./versions";

export function* hasExpectedStructure({ text, conflicts }: MergedText, versions: Versions): Steps<boolean> {
  const counts = {
    base: yield* countStructuresInSteps(versions.base),
    ours: yield* countStructuresInSteps(versions.ours),
    theirs: yield* countStructuresInSteps(versions.theirs),
  };
  const mergedCounts = yield* countStructuresInSteps(text);
  const structures = [mergedCounts, counts.base, counts.ours, counts.theirs].flatMap((it) => [...it.keys()]);
  for (const structure of new Set(structures)) {
    const { base, ours, theirs } = mapVersions(counts, (it) => it.get(structure) ?? 0);
    const both = ours + theirs - base;
    let [least, most] = [both, both];
    // Some changes of theirs are missing where ours was kept. If both sides changed in the same direction, it may be the same change.
    if (conflicts.length > 0) [least, most] = [Math.min(ours, both), Math.max(ours, both)];
    else if (ours > base && theirs > base) least = Math.max(ours, theirs);
    else if (ours < base && theirs < base) most = Math.min(ours, theirs);
    const count = mergedCounts.get(structure) ?? 0;
    if (count < least || count > most) return false;
  }
  return true;
}

type StructureCounts = Map<string, number>;
type CountedNode = BlockNode | Extract<BlockNode, { type: "list" }>["children"][number];

function* countStructuresInSteps(text: string): Steps<StructureCounts> {
  const counts: StructureCounts = new Map();
  // After a blank line, nothing is parsed as front matter.
  const source = `\n${text}`;
  const { children } = yield* parseMarkdownInSteps(source);
  countStructures(children, "text", source, counts);
  for (const [structure, balance] of counts) if (balance === 0) counts.delete(structure);
  return counts;
}

const VOID_ELEMENTS = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));

function countStructures(nodes: readonly CountedNode[], parent: string, source: string, counts: StructureCounts): void {
  const add = (structure: string, amount = 1) => counts.set(structure, (counts.get(structure) ?? 0) + amount);
  for (const node of nodes) {
    const kind = node.type === "tag" ? `tag ${node.name} ${node.close ? "and its end" : "alone"}` : node.type;
    add(`${kind} in ${parent}`);
    if (node.type === "code") {
      // Indented code has no fence, and needs no end.
      const fence = /^ {0,3}(`{3,}|~{3,})/.exec(source.slice(node.start, node.start + 1000))?.[1] ?? "";
      const end = source.slice(Math.max(node.start + fence.length, node.end - fence.length - 200), node.end).trimEnd();
      const closingFence = /(?:^|[\r\n])[ \t>]*(`+|~+)$/.exec(end)?.[1];
      if (fence !== "" && !(end.endsWith(fence) && closingFence?.[0] === fence[0])) add("fence without end");
    }
    if (node.type === "math") {
      const formula = source.slice(node.start + 2, node.end);
      if (!formula.trimEnd().endsWith("$$")) add("formula without end");
    }
    if (node.type === "table") {
      for (const { start, end } of node.children) {
        const row = source.slice(start, end).trim().replace(/\\./gs, "").replace(/^\|/, "").replace(/\|$/, "");
        const cells = (row.match(/\|/g)?.length ?? 0) + 1;
        if (cells !== node.align.length) add("row that does not fit");
      }
    }
    if (node.type === "html") {
      for (const [, slash, name] of node.value.matchAll(/<(\/?)([a-z][a-z0-9-]*)/gi)) {
        const element = name!.toLowerCase();
        if (!VOID_ELEMENTS.has(element)) add(`<${element}>`, slash === "" ? 1 : -1);
      }
    }
    if ("children" in node && node.type !== "paragraph" && node.type !== "heading" && node.type !== "table")
      countStructures(node.children, kind, source, counts);
  }
}
