// Fenced code that is a block of an integration, in spaces in which the integration is installed.

import type { FencedBlocks } from "../../../content/markdown/fences";
import { defineExtensionPoint } from "../../../utils/extension-point";
import type { VersionedCache } from "../../../utils/versioned-cache";
import type { SourceContext } from "./computed-sources";

/** The context of finding blocks. A response that read another partition through `peek` is not cached. */
export type FencesContext = Pick<SourceContext, "tx" | "peek"> & { readonly ports: { readonly cache: VersionedCache } };

/** Finds the languages of fenced code that are blocks of the integrations of a space. */
export const integrationFences =
  defineExtensionPoint<(from: FencesContext, space: string) => Promise<FencedBlocks>>("fenced code of integrations");

/** Returns the fenced blocks that a text may have, or undefined for the many texts without a fence with a language. */
export async function findFencedBlocks(
  from: FencesContext,
  space: string,
  text: string,
): Promise<FencedBlocks | undefined> {
  return /(?:```|~~~)[ \t]*[^\s`~]/.test(text) ? integrationFences.implementation(from, space) : undefined;
}
