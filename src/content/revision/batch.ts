// A batch of changes while it is applied: the draft, the refs that its changes define, and the texts to index at the end.

import type { RunSteps } from "../../utils/concurrency/steps";
import type { FencedBlocks } from "../markdown/fences";
import type { Draft } from "./draft";
import { ChangeError } from "./errors";
import type { RevisionView } from "./view";

export const MAX_CHANGES = 50;

/** The result of one change. */
export type BatchOutcome =
  | { readonly object: "created_page"; readonly ref?: string; readonly page: string }
  | { readonly object: "updated_page"; readonly page: string }
  | { readonly object: "deleted_page"; readonly page: string }
  | { readonly object: "created_reusable_content"; readonly ref?: string; readonly reusableContent: string }
  | { readonly object: "updated_reusable_content"; readonly reusableContent: string }
  | { readonly object: "deleted_reusable_content"; readonly reusableContent: string };

/** The things outside the draft that a batch needs. */
export interface BatchTools {
  readonly now: string;
  readonly newId: (kind: "page" | "file" | "reusableContent") => string;
  /** Reads the text of a stored object. */
  readonly readText: (hash: string) => Promise<string>;
  /** Finds another revision of the same content, to revert pages to. Without an id, this is the revision before. */
  readonly findRevision: (id: string | undefined) => Promise<RevisionView | undefined>;
  /** Runs long work. Default: all at once. */
  readonly runSteps?: RunSteps;
  /** The languages of fenced code that are blocks of integrations. Default: none. */
  readonly fences?: FencedBlocks | undefined;
}

/** The thing that a `ref` stands for. */
export interface RefTarget {
  readonly kind: "page" | "file" | "reusable";
  readonly id: string;
}

/** A text that was written in the batch and is not indexed yet. */
export interface PendingText {
  /** The index of the change that wrote it. */
  readonly index: number;
  readonly text: string;
  readonly kind: "page" | "reusable";
}

export interface Batch {
  readonly draft: Draft;
  readonly tools: BatchTools;
  /** The index of the change that is being applied. */
  index: number;
  readonly refs: Map<string, RefTarget>;
  /** By the id of their page or reusable content. */
  readonly pendingTexts: Map<string, PendingText>;
  readonly outcomes: BatchOutcome[];
  readonly insertedFiles: { readonly id: string; readonly ref?: string }[];
}

/** Defines a `ref`, which must be unique in its batch. */
export function defineRef(batch: Batch, ref: string | undefined, target: RefTarget): void {
  if (ref === undefined) return;
  if (batch.refs.has(ref)) throw new ChangeError("ref", "Another change of the batch has this ref");
  batch.refs.set(ref, target);
}

export function resolvePageId(batch: Batch, name: string): string {
  const target = batch.refs.get(name);
  return target?.kind === "page" ? target.id : name;
}
