// OpenAPI specifications of an organization, what was given for them and waits to be processed, and their versions. What
// waits is a queue: each source that was given is processed in its turn, so none is lost to a faster one.

import { everyRow } from "../../../operation/pages";
import { sha256Hex } from "../../../sha256";
import type { ProcessErrorCode } from "../../../specifications/refused";
import { kinds } from "../../../store/ids";
import { sweepSoon } from "../../../store/objects";
import { records } from "../../../store/records";
import type { Reader, Transaction } from "../../../store/transaction";
import type { Runner } from "../../../work/leased-queue";

export type Visibility = "private" | "public";
export type ProcessingState = "pending" | "progress" | "complete";

export interface SpecRecord {
  readonly id: string;
  readonly slug: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Where the newest source is; undefined: it was given as a text. */
  readonly url?: string;
  readonly visibility: Visibility;
  readonly state: ProcessingState;
  /** Sources so far: whoever gives one touches this, so that nobody stops while one waits. */
  readonly asked: number;
  /** Versions so far. */
  readonly versions: number;
  readonly lastVersion?: string;
  readonly lastProcessedAt?: string;
  /** Why the last run failed. */
  readonly error?: { readonly code: ProcessErrorCode; readonly message: string };
  /** How often in a row it failed. */
  readonly failures?: number;
  /** The object with what is asked with whether the source has changed. */
  readonly known?: string;
  /** When the source is looked at again, in epoch milliseconds. */
  readonly nextCheck?: number;
  /** Whoever processes, and until when they are left alone. */
  readonly runner?: Runner;
}

export const specs = records("openapi-spec", {
  key: (it: SpecRecord) => [it.id],
  indexes: { slug: (it) => [it.slug] },
  unique: { slug: (it) => [it.slug] },
  totals: { all: () => [] },
  sealed: [{ path: ["url"] }],
});

/** A specification by its slug or its id: no slug looks like an id. */
export async function specNamed(view: Reader, name: string): Promise<SpecRecord | undefined> {
  return (await specs.find(view, "slug", name)) ?? specs.get(view, name);
}

/** A source that waits. */
export interface SourceRecord {
  readonly spec: string;
  /** Counts up in its specification. */
  readonly number: number;
  readonly askedAt: string;
  readonly url?: string;
  /** The object with the text. */
  readonly text?: string;
  /** The same source as before is looked at again. */
  readonly isCheck: boolean;
  /** How often it was begun with. */
  readonly attempts: number;
}

export const sources = records("openapi-source", {
  key: (it: SourceRecord) => [it.spec, it.number],
  indexes: { inOrder: (it) => [it.spec, it.number] },
  sealed: [{ path: ["url"] }],
});

export interface VersionRecord {
  readonly spec: string;
  readonly id: string;
  /** Counts up in its specification. */
  readonly number: number;
  readonly createdAt: string;
  /** Where it was read; undefined: it was given as a text. */
  readonly url?: string;
  readonly format: "json" | "yaml";
  /** The object with the text of the specification. */
  readonly text: string;
  /** The object with all of its documents. */
  readonly filesystem: string;
}

export const versions = records("openapi-version", {
  key: (it: VersionRecord) => [it.spec, it.id],
  indexes: { ofSpec: (it) => [it.spec, it.number] },
  totals: { ofSpec: (it) => [it.spec] },
  sealed: [{ path: ["url"] }],
});

/** The id of a version: the same for whoever makes it, so that one that is made twice is made once. */
export function versionId(spec: SpecRecord, number: number): string {
  const [, own] = spec.id.split("_") as [string, string];
  const code = own.slice(0, 12);
  return `${kinds.openApiSpecVersion}_${code}${sha256Hex(`${spec.id} ${number}`).slice(0, 16)}`;
}

/** Removes what a specification that is gone has left, as far as there is room; true when there is more. */
export async function dropSpec(tx: Transaction, spec: string): Promise<boolean> {
  sweepSoon(tx);
  return (await sources.drain(tx, "inOrder", [spec])) || versions.drain(tx, "ofSpec", [spec]);
}

/** The objects that specifications lead to: texts that wait, and versions. */
export async function specObjects(view: Reader): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const add = (...hashes: (string | undefined)[]) => {
    for (const hash of hashes) if (hash !== undefined) found.add(hash);
  };
  for await (const { record } of everyRow((slice) => specs.list(view, "slug", slice))) add(record.known);
  for await (const { record } of everyRow((slice) => sources.list(view, "inOrder", slice))) add(record.text);
  for await (const { record } of everyRow((slice) => versions.list(view, "ofSpec", slice)))
    add(record.text, record.filesystem);
  return found;
}
