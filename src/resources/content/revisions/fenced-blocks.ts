// Fenced code that is a block of an integration, in spaces where the integration is installed.

import type { FencedBlocks } from "../../../content/markdown/fences";
import { defineExtensionPoint } from "../../../utils/extension-point";
import type { StampedCache } from "../../../utils/stamped-cache";
import type { Sources } from "./computed-sources";

/** What finding them needs. An answer that read another partition through `peek` is not kept. */
export type LookingForFences = Pick<Sources, "tx" | "peek"> & { readonly ports: { readonly cache: StampedCache } };

/** The languages of fenced code that are blocks of the integrations of a space. */
export const integrationFences =
  defineExtensionPoint<(from: LookingForFences, space: string) => Promise<FencedBlocks>>("fenced code of integrations");

/** Those that a text may have. Most texts have no fence with a language. */
export async function fencesFor(
  from: LookingForFences,
  space: string,
  text: string,
): Promise<FencedBlocks | undefined> {
  return /(?:```|~~~)[ \t]*[^\s`~]/.test(text) ? integrationFences.implementation(from, space) : undefined;
}
