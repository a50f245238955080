// The context of a call. Targets are loaded with it, handlers get it together with what the target loaded, and the code that they
// share takes it as it is.

import type { JobContext } from "../jobs/jobs";
import type { WriteContext } from "../jobs/write-context";
import type { Ports } from "../ports/ports";
import type { Urls } from "../ports/urls";
import type { IdKind, Random } from "../storage/ids";
import type { Objects } from "../storage/objects";
import type { Secrets } from "../storage/secrets";
import type { Reader, Transaction } from "../storage/transaction";
import type { Actor } from "./actor";

/** The context of a call, in the partition where its target may live. */
export interface RequestContext {
  /** The partition, as a snapshot or in the transaction of the call. */
  readonly tx: Reader;
  /** The global partition, in the state in which the caller was identified. */
  readonly directory: Reader;
  readonly actor: Actor;
  readonly params: Readonly<Record<string, string>>;
  /** The validated query. It may hold what visitors present to be admitted. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The validated body. */
  readonly body?: unknown;
  readonly now: Date;
  /** The code of the partition that `tx` reads. New ids begin with it. */
  readonly partitionCode: string;
  /** The partition that forwarded the call, because the thing has moved here from there. */
  readonly forwardedFrom?: string | undefined;
  /** True if the call writes. The thing must not be frozen by a transfer then. */
  readonly isWriting?: boolean;
  /** Returns a reader of another partition in its present state. The transaction does not check what it reads. */
  readonly peek: (partition: string) => Promise<Reader>;
  readonly urls: Urls;
  readonly secrets: Secrets;
  /** Content-addressed bytes of the partition that `tx` reads. */
  readonly objects: Objects;
  /** The host's options for replaceable parts. */
  readonly ports: Ports;
  /** The context of jobs, for calls of integrations. */
  readonly jobContext: JobContext;
}

/** The context of a call that writes, in its transaction. */
export interface WriteRequestContext extends RequestContext, WriteContext {
  readonly tx: Transaction;
  readonly ports: Ports;
  readonly now: Date;
  readonly random: Random;
  /** Returns a new id in this partition. */
  readonly newId: (kind: Exclude<IdKind, "organization">) => string;
}
