// Unknown blocks, written as they were. If they would be read as something else, they are written as plain text; HTML
// stays HTML, whatever is understood of it by now.

import type { Steps } from "../../../utils/concurrency/steps";
import type { Block, BlockOf } from "../../document";
import { parseInSteps } from "../parse";
import { trimBlank } from "../parser/characters";
import { wholeTag } from "../parser/tags";
import { readPageInSteps } from "../reader/page";
import { asWritten } from "../reader/reading";
import { escapeEverything } from "./escape";

/** A block as its source; `writeInside` writes what a pair of tags holds. */
export function* writeUnknown(
  { data, nodes }: BlockOf<"unknown">,
  writeInside: (nodes: readonly Block[]) => Steps<string>,
  mayRunOn: boolean,
): Steps<string> {
  const source = (data?.source ?? "").replace(/\r\n?/g, "\n");
  const name = nodes && wholeTag(source)?.name;
  if (nodes && name !== undefined) {
    const inside = yield* writeInside(nodes as Block[]);
    return `${source}\n${inside === "" ? "" : `${inside}\n`}{% end${name} %}`;
  }
  return (yield* isSameAgain(source, mayRunOn)) ? source : asText(source);
}

/** Whether a source is read as one unknown block or as HTML, and takes nothing with it that follows. */
function* isSameAgain(source: string, mayRunOn: boolean): Steps<boolean> {
  const text = mayRunOn ? source : `${source}\n\na`;
  const { parts, nodes } = yield* readPageInSteps(text, yield* parseInSteps(text), asWritten);
  const own = mayRunOn ? nodes : nodes.slice(0, -1);
  if (own.length > 0 && own.every(({ type }) => type === "html")) return mayRunOn || nodes.at(-1)?.type === "paragraph";
  const [first] = parts;
  return parts.length === (mayRunOn ? 1 : 2) && first?.block.type === "unknown" && first.block.data?.source === source;
}

/** Blocks without those that are only parts of a text which nobody sees. Documents once had comments as unknown blocks. */
export function* withoutHidden(blocks: readonly Block[], original: string): Steps<readonly Block[]> {
  if (!blocks.some(isHtml)) return blocks;
  const { nodes, parts } = yield* readPageInSteps(original, yield* parseInSteps(original), asWritten);
  const shown = new Set(parts.map(({ node }) => node));
  const hidden = new Set(
    nodes.flatMap((node) => (node.type === "html" && !shown.has(node) ? [trimBlank(node.value)] : [])),
  );
  return blocks.filter((block) => !(isHtml(block) && hidden.has(trimBlank(block.data?.source ?? ""))));
}

function isHtml(block: Block): block is BlockOf<"unknown"> {
  return block.type === "unknown" && !block.nodes && block.data?.source.startsWith("<") === true;
}

function asText(source: string): string {
  return escapeEverything(source.replace(/\s+/g, " ").trim());
}
