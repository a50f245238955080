// A batch of changes while it is applied: the draft, what its refs stand for, and the texts that wait to be indexed.

import type { Ref } from "../document";
import type { FencedBlocks } from "../markdown/fences";
import type { RunSteps } from "../markdown/steps";
import type { Draft } from "./draft";
import { ChangeRefused } from "./refused";
import type { View } from "./view";

/** The most changes of a batch. */
export const MAX_CHANGES = 50;

/** What a change did. */
export type Outcome =
  | { readonly object: "created_page"; readonly ref?: string; readonly page: string }
  | { readonly object: "updated_page"; readonly page: string }
  | { readonly object: "deleted_page"; readonly page: string }
  | { readonly object: "created_reusable_content"; readonly ref?: string; readonly reusableContent: string }
  | { readonly object: "updated_reusable_content"; readonly reusableContent: string }
  | { readonly object: "deleted_reusable_content"; readonly reusableContent: string };

/** What a batch needs of the world. */
export interface Tools {
  readonly now: string;
  readonly newId: (kind: "page" | "file" | "reusableContent") => string;
  /** The text of an object that is stored. */
  readonly text: (hash: string) => Promise<string>;
  /** Another revision of the same content, to take pages back from; without an id the one before. */
  readonly revision: (id: string | undefined) => Promise<View | undefined>;
  /** Carries out what is long, with turns for others if there are any; default: at once. */
  readonly inTurns?: RunSteps;
  /** Languages of fenced code that are blocks of integrations; default: none. */
  readonly fences?: FencedBlocks | undefined;
}

/** A thing that a `ref` stands for. */
export interface Referred {
  readonly kind: "page" | "file" | "reusable";
  readonly id: string;
}

/** A text that was written in the batch, and by which change. */
export interface WaitingText {
  readonly index: number;
  readonly text: string;
  readonly of: "page" | "reusable";
}

export interface Batch {
  readonly draft: Draft;
  readonly tools: Tools;
  /** The change that is being applied. */
  index: number;
  readonly refs: Map<string, Referred>;
  readonly texts: Map<string, WaitingText>;
  readonly outcomes: Outcome[];
  readonly insertedFiles: { readonly id: string; readonly ref?: string }[];
}

/** Defines a `ref`; it must be unique in its batch. */
export function refer(batch: Batch, ref: string | undefined, referred: Referred): void {
  if (ref === undefined) return;
  if (batch.refs.has(ref)) throw new ChangeRefused("ref", "Another change of the batch has this ref");
  batch.refs.set(ref, referred);
}

/** The page that an id or a `ref` of the batch names. */
export function pageNamed(batch: Batch, name: string): string {
  const referred = batch.refs.get(name);
  return referred?.kind === "page" ? referred.id : name;
}

/** A reference in which the refs of the batch are replaced by ids. */
export function settledRef(batch: Batch, ref: Ref): Ref {
  if (ref.kind === "page" && ref.space === undefined) return { ...ref, page: pageNamed(batch, ref.page) };
  if (ref.kind !== "file") return ref;
  const referred = batch.refs.get(ref.file);
  return referred?.kind === "file" ? { ...ref, file: referred.id } : ref;
}

/** Queues a text to be indexed at the end of the batch. */
export function writeText(batch: Batch, id: string, of: WaitingText["of"], text: string): void {
  batch.texts.set(id, { index: batch.index, text, of });
}
