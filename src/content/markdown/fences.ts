// Blocks of integrations that are written as fenced code: an integration declares the language, and the prop that the code
// becomes.

import { omitUndefined } from "../../utils/objects";
import type { BlockOf } from "../document";

/** A block of an integration, and the name of the prop that the code becomes. */
export interface FencedBlock {
  readonly integration: string;
  readonly block: string;
  readonly body: string;
}

export type FencedBlocks = ReadonlyMap<string, FencedBlock>;

export const NO_FENCES: FencedBlocks = new Map();

/** Converts the block of an integration to fenced code; undefined if fenced code cannot represent all of it. */
export function toFencedCode(fences: FencedBlocks, { data }: BlockOf<"integration">): BlockOf<"code"> | undefined {
  for (const [syntax, { integration, block, body }] of fences) {
    if (data?.integration !== integration || data.block !== block) continue;
    const { url, props, meta } = data;
    const code = props[body];
    if (code === undefined || url !== undefined || Object.keys(props).length > 1) return undefined;
    const nodes = code.split("\n").map((text): BlockOf<"code-line"> => {
      return {
        object: "block",
        type: "code-line",
        nodes: [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }],
      };
    });
    return { object: "block", type: "code", data: { syntax, ...omitUndefined({ meta }) }, nodes };
  }
  return undefined;
}
