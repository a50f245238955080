// The target of an operation: the thing that a path names, how it is found, and who may do what with it.

import type { Reason } from "../errors";
import type { Ports } from "../ports/ports";
import type { Objects } from "../storage/objects";
import type { Secrets } from "../storage/secrets";
import type { Reader } from "../storage/transaction";
import type { Actor } from "./actor";

/** Finds the thing that a path names, and decides who may do what with it. */
export interface Target<Loaded extends object = object, Right extends string = string> {
  /**
   * Returns the partition that holds the thing, or undefined if the ids are not valid. `code` names a partition that does
   * not exist yet, for a target with `isVacant`; it is empty for all others.
   */
  readonly findPartition: (params: Readonly<Record<string, string>>, code: string) => string | undefined;
  /** Returns undefined if the thing is absent. Things above it in the path fail with their own 404. */
  readonly load: (context: TargetContext) => Promise<Loaded | undefined>;
  /** The reason of the 404. A thing that the caller may not `view` gets the same, so that it cannot be told from an absent one. */
  readonly notFoundReason: Reason;
  /** Decides each right. The same rows guard operations and fill the `permissions` of responses. */
  readonly rights: { readonly [right in Right | "view"]: (loaded: Loaded) => boolean };
  /** For a target that creates its partition: true if nothing exists there yet. An existing thing is not changed. */
  readonly isVacant?: (loaded: Loaded) => boolean;
  /** True if the thing can be found and nothing below it in a path can, as for a space in the trash. Default: false. */
  readonly hidesContents?: (loaded: Loaded) => boolean;
  /** True if no caller is needed. Default: false. */
  readonly allowsAnonymous?: boolean;
  /**
   * True if responses about the thing may be cached: for up to an hour, as long as the partitions that they were read from
   * do not change. Default: true.
   */
  readonly isCacheable?: (loaded: Loaded, context: TargetContext) => boolean | Promise<boolean>;
}

export interface TargetContext {
  readonly tx: Reader;
  readonly directory: Reader;
  readonly actor: Actor;
  readonly params: Readonly<Record<string, string>>;
  /** The validated query. It holds what visitors present to be admitted. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The validated body, for a target whose ids are in the body. */
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
  /** Verifies signed parts of a path. */
  readonly secrets: Secrets;
  /** Content-addressed bytes of the partition that `tx` reads. */
  readonly objects: Objects;
  /** Holds what earlier requests computed. */
  readonly ports: Pick<Ports, "cache">;
}

/** Returns the `permissions` of a thing: its rights with these names. */
export function getPermissions<Loaded extends object, Right extends string, Name extends Right | "view">(
  target: Target<Loaded, Right>,
  loaded: Loaded,
  names: readonly Name[],
): { [name in Name]: boolean } {
  const permissions = {} as { [name in Name]: boolean };
  for (const name of names) permissions[name] = target.rights[name](loaded);
  return permissions;
}
