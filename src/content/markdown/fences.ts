// Blocks of integrations that a text writes as fenced code: an integration declares the language, and which of the
// block's props the code is.

import { omitUndefined } from "../../utils/objects";
import type { BlockOf } from "../document";
import type { Code } from "./nodes";

/** A block of an integration, and the name of the prop that the code becomes. */
export interface FencedBlock {
  readonly integration: string;
  readonly block: string;
  readonly body: string;
}

/** Such blocks by the language that is theirs. */
export type FencedBlocks = ReadonlyMap<string, FencedBlock>;

/** No language is anybody's. */
export const NO_FENCES: FencedBlocks = new Map();

/** The block that fenced code is; undefined when its language is nobody's. */
export function blockInFence(fences: FencedBlocks, { lang, meta, value }: Code): BlockOf<"integration"> | undefined {
  const found = lang === null ? undefined : fences.get(lang);
  if (!found) return undefined;
  const { integration, block, body } = found;
  const data = { integration, block, props: { [body]: value }, ...omitUndefined({ meta: meta ? meta : undefined }) };
  return { object: "block", type: "integration", isVoid: true, data };
}

/** The fenced code that a block is written as; undefined when a fence cannot say all of it. */
export function fenceOf(fences: FencedBlocks, { data }: BlockOf<"integration">): BlockOf<"code"> | undefined {
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
