// Installations of integrations call with their own tokens. An installation has the rights of a guest: it reaches the
// spaces and sites that it was installed on, and nothing else. The wing of integrations knows those and fills this
// hook.

import type { JobContext } from "../../../jobs/jobs";
import type { TargetContext } from "../../../operation/target";
import { type Place, parsePartitionCode } from "../../../storage/ids";
import type { Reader, Transaction } from "../../../storage/transaction";
import { defineExtensionPoint } from "../../../utils/extension-point";

/** What this wing needs to know about installations. */
export interface Apps {
  /** When it was installed; undefined while it may not act because it is paused or removed. */
  readonly installedAt: (tx: Reader, id: string) => Promise<string | undefined>;
  /** The name of its integration. */
  readonly integrationOf: (tx: Reader, id: string) => Promise<string | undefined>;
  /** The spaces that it works in; `all` when it is installed on all of them. */
  readonly spacesOf: (tx: Reader, id: string) => Promise<readonly string[] | "all">;
  readonly isOn: (tx: Reader, id: string, kind: "space" | "site", place: string) => Promise<boolean>;
  /**
   * Removes installations from a space or site that has left the partition, and notifies them. True: there may be more.
   */
  readonly leave: (
    work: JobContext,
    at: Place,
    tx: Transaction,
    kind: "space" | "site",
    place: string,
  ) => Promise<boolean>;
  /** Whether it has a scope to read content. */
  readonly mayReadContent: (scope: Pick<TargetContext, "tx" | "peek">, id: string) => Promise<boolean>;
}

export const apps = defineExtensionPoint<Apps>("what installations may do");

/** Whether this is the id of an installation. */
export function isInstallation(id: string): boolean {
  return parsePartitionCode("installation", id) !== undefined;
}
