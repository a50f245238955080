// Phrasing that is written, read back, and written more carefully if the result differs.

import type { Steps } from "../../../utils/concurrency/steps";
import type { Block, Phrasing } from "../../document";
import { parseInSteps } from "../parse";
import { readPageInSteps } from "../reader/page";
import { asWritten } from "../reader/reading";
import { oneInSteps } from "./normal";
import { type Care, markdownOf, type PhrasingPlace, type TakeNote } from "./phrasing";

/** A way to write phrasing as a block of its own, and to find it in what comes back. */
interface Frame {
  around: (markdown: string) => string;
  inside: (block: Block) => Phrasing[] | undefined;
}

const FRAMES = {
  paragraph: {
    around: (markdown) => markdown,
    inside: (block) => (block.type === "paragraph" ? (block.nodes as Phrasing[]) : undefined),
  },
  heading: {
    around: (markdown) => `## ${markdown}`,
    inside: (block) => (block.type === "heading-1" ? (block.nodes as Phrasing[]) : undefined),
  },
  cell: {
    around: (markdown) => `| a |\n| - |\n| ${markdown} |`,
    inside: (block) => block.fragments?.[0]?.nodes[0]?.nodes as Phrasing[] | undefined,
  },
} satisfies Record<string, Frame>;

/** Writes phrasing so that it reads as the same in its place, step by step. */
export function* writeChecked(
  nodes: readonly Phrasing[],
  where: keyof typeof FRAMES,
  takeNote: TakeNote,
  tagged: ReadonlySet<string>,
): Steps<string> {
  if (nodes.length === 0) return "";
  const place: PhrasingPlace = where === "paragraph" ? "paragraph" : "line";
  const labels = new Set<string>();
  const noted: TakeNote = (inline) => {
    const label = takeNote(inline);
    labels.add(label);
    return label;
  };
  const write = (care: Care) => inPlace(markdownOf(nodes, place, care, noted, tagged), where);
  const isRight = (markdown: string) =>
    readsAs(FRAMES[where].around(markdown) + standIns(labels), nodes, FRAMES[where]);
  const usual = write("usual");
  if (isPlain(usual) || (yield* isRight(usual))) return usual;
  const careful = write("utmost");
  return (yield* isRight(careful)) ? careful : usual;
}

function inPlace(markdown: string, where: keyof typeof FRAMES): string {
  if (where === "cell") return markdown.replaceAll("|", "\\|");
  return where === "heading" ? withoutClosing(markdown) : markdown;
}

/** Plain words cannot be anything else, and need no check. */
function isPlain(markdown: string): boolean {
  return /^[A-Za-z](?:[A-Za-z0-9,;'()/ -]*[A-Za-z0-9)])?\.?$/.test(markdown);
}

/** Hashes at the end of a heading would be taken for its end. */
function withoutClosing(markdown: string): string {
  return /(?:^|[ \t])#+$/.test(markdown) ? `${markdown.slice(0, -1)}\\#` : markdown;
}

function* readsAs(text: string, nodes: readonly Phrasing[], { inside }: Frame): Steps<boolean> {
  const { parts } = yield* readPageInSteps(text, yield* parseInSteps(text), asWritten);
  const [part] = parts;
  const block = part && parts.length === 1 ? yield* oneInSteps(part.block, (ref) => ref) : undefined;
  const read = block && inside(block);
  return read !== undefined && JSON.stringify(withoutNotes(read)) === JSON.stringify(withoutNotes(nodes));
}

/** Placeholders for the notes that are referred to. */
function standIns(labels: ReadonlySet<string>): string {
  return labels.size === 0 ? "" : `\n\n${Array.from(labels, (label) => `[^${label}]: a`).join("\n")}`;
}

/** A note is checked where it is written. */
function withoutNotes(nodes: readonly Phrasing[]): Phrasing[] {
  return nodes.map((node) =>
    node.object === "inline" && node.type === "annotation" ? { ...node, fragments: [] } : node,
  );
}
