// OpenAPI specifications of an organization, their queued sources, and their versions. The sources are processed one after
// the other, so none is lost.

import type { Runner } from "../../../jobs/leased-queue";
import type { ProcessErrorCode } from "../../../openapi/specifications/errors";
import { iterateRows } from "../../../operation/pagination";
import type { Objects } from "../../../storage/objects";
import { defineRecordSet } from "../../../storage/records";
import type { Reader } from "../../../storage/transaction";

export interface SpecRecord {
  readonly id: string;
  readonly slug: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The URL of the newest source; undefined: it was given as a text. */
  readonly url?: string;
  readonly visibility: "private" | "public";
  readonly state: "pending" | "progress" | "complete";
  /** The number of sources so far. Adding one changes it, so a worker cannot stop while one waits. */
  readonly asked: number;
  /** The number of versions so far. */
  readonly versions: number;
  readonly lastVersion?: string;
  readonly lastProcessedAt?: string;
  /** The reason why the last run failed. */
  readonly error?: { readonly code: ProcessErrorCode; readonly message: string };
  readonly failures?: number;
  /** The object with the validators for conditional requests. */
  readonly known?: string;
  /** The time at which the URL is fetched again, in epoch milliseconds. */
  readonly nextCheck?: number;
  /** The worker, and the end of its lease. */
  readonly runner?: Runner;
}

export const specs = defineRecordSet("openapi-spec", {
  key: (it: SpecRecord) => [it.id],
  indexes: { slug: (it) => [it.slug] },
  unique: { slug: (it) => [it.slug] },
  totals: { all: () => [] },
  sealed: [{ path: ["url"] }],
});

/** Finds a specification by its slug or its id. No slug looks like an id. */
export async function findSpecByName(view: Reader, name: string): Promise<SpecRecord | undefined> {
  return (await specs.find(view, "slug", name)) ?? specs.get(view, name);
}

export interface SourceRecord {
  readonly spec: string;
  /** Counts up in its specification. */
  readonly number: number;
  readonly askedAt: string;
  readonly url?: string;
  /** The object with the text. */
  readonly text?: string;
  /** A repeated fetch of the same URL. */
  readonly isCheck: boolean;
  readonly attempts: number;
}

export const sources = defineRecordSet("openapi-source", {
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
  /** The URL it was read from; undefined: it was given as a text. */
  readonly url?: string;
  readonly format: "json" | "yaml";
  /** The object with the text of the specification. */
  readonly text: string;
  /** The object with all of its documents. */
  readonly filesystem: string;
}

export const versions = defineRecordSet("openapi-version", {
  key: (it: VersionRecord) => [it.spec, it.id],
  indexes: { ofSpec: (it) => [it.spec, it.number] },
  totals: { ofSpec: (it) => [it.spec] },
  sealed: [{ path: ["url"] }],
});

/** Reports the objects that specifications refer to: queued texts, validators, and versions. */
export async function reportSpecObjects(view: Reader, _: Objects, tell: (hash: string) => void): Promise<void> {
  const add = (...hashes: (string | undefined)[]) => {
    for (const hash of hashes) if (hash !== undefined) tell(hash);
  };
  for await (const { record } of iterateRows((slice) => specs.list(view, "slug", slice))) add(record.known);
  for await (const { record } of iterateRows((slice) => sources.list(view, "inOrder", slice))) add(record.text);
  for await (const { record } of iterateRows((slice) => versions.list(view, "ofSpec", slice)))
    add(record.text, record.filesystem);
}
