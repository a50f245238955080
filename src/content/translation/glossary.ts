// The glossary that instructions bring along: the rows of their tables with two columns, a term and what it is called. Those
// who read instructions see the tables anyway; a translator that reads none gets the terms.

import type { TableCell } from "../markdown/nodes";
import { parse } from "../markdown/parse";
import { plainText } from "../markdown/parser/words";
import type { GlossaryEntry } from "./translator";

/** The most terms that are taken. */
const MAX_TERMS = 1000;

/** The terms in instructions, which are Markdown. The head of a table is none. */
export function glossaryIn(instructions: string): GlossaryEntry[] {
  const found = new Map<string, string>();
  for (const block of parse(instructions).children) {
    if (block.type !== "table" || block.align.length !== 2) continue;
    for (const { children } of block.children.slice(1)) {
      const [term, translation] = children.map(saidIn);
      if (term && translation && found.size < MAX_TERMS) found.set(term, translation);
    }
  }
  return Array.from(found, ([term, translation]) => ({ term, translation }));
}

function saidIn({ children }: TableCell): string {
  return plainText(children).replace(/\s+/g, " ").trim();
}
