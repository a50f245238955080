// A batch of changes while it is applied: the draft, what its refs stand for, and the texts that wait to be indexed.

import type { ContentRef } from "../document";
import type { FencedBlocks } from "../markdown/fences";
import type { RunSteps } from "../markdown/steps";
import type { Draft } from "./draft";
import { ChangeError } from "./errors";
import type { RevisionView } from "./view";

/** The most changes of a batch. */
export const MAX_CHANGES = 50;

/** What a change did. */
export type BatchOutcome =
  | { readonly object: "created_page"; readonly ref?: string; readonly page: string }
  | { readonly object: "updated_page"; readonly page: string }
  | { readonly object: "deleted_page"; readonly page: string }
  | { readonly object: "created_reusable_content"; readonly ref?: string; readonly reusableContent: string }
  | { readonly object: "updated_reusable_content"; readonly reusableContent: string }
  | { readonly object: "deleted_reusable_content"; readonly reusableContent: string };

/** What a batch needs of the world. */
export interface BatchTools {
  readonly now: string;
  readonly newId: (kind: "page" | "file" | "reusableContent") => string;
  /** The text of an object that is stored. */
  readonly readText: (hash: string) => Promise<string>;
  /** Another revision of the same content, to take pages back from; without an id the one before. */
  readonly findRevision: (id: string | undefined) => Promise<RevisionView | undefined>;
  /** Carries out what is long, with turns for others if there are any; default: at once. */
  readonly runSteps?: RunSteps;
  /** Languages of fenced code that are blocks of integrations; default: none. */
  readonly fences?: FencedBlocks | undefined;
}

/** A thing that a `ref` stands for. */
export interface RefTarget {
  readonly kind: "page" | "file" | "reusable";
  readonly id: string;
}

/** A text that was written in the batch, and by which change. */
export interface PendingText {
  readonly index: number;
  readonly text: string;
  readonly kind: "page" | "reusable";
}

export interface Batch {
  readonly draft: Draft;
  readonly tools: BatchTools;
  /** The change that is being applied. */
  index: number;
  readonly refs: Map<string, RefTarget>;
  readonly pendingTexts: Map<string, PendingText>;
  readonly outcomes: BatchOutcome[];
  readonly insertedFiles: { readonly id: string; readonly ref?: string }[];
}

/** Defines a `ref`; it must be unique in its batch. */
export function defineRef(batch: Batch, ref: string | undefined, referred: RefTarget): void {
  if (ref === undefined) return;
  if (batch.refs.has(ref)) throw new ChangeError("ref", "Another change of the batch has this ref");
  batch.refs.set(ref, referred);
}

/** The page that an id or a `ref` of the batch names. */
export function resolvePageId(batch: Batch, name: string): string {
  const referred = batch.refs.get(name);
  return referred?.kind === "page" ? referred.id : name;
}

/** A reference in which the refs of the batch are replaced by ids. */
export function resolveBatchRef(batch: Batch, ref: ContentRef): ContentRef {
  if (ref.kind === "page" && ref.space === undefined) return { ...ref, page: resolvePageId(batch, ref.page) };
  if (ref.kind !== "file") return ref;
  const referred = batch.refs.get(ref.file);
  return referred?.kind === "file" ? { ...ref, file: referred.id } : ref;
}

/** Queues a text to be indexed at the end of the batch. */
export function queueText(batch: Batch, id: string, of: PendingText["kind"], text: string): void {
  batch.pendingTexts.set(id, { index: batch.index, text, kind: of });
}
