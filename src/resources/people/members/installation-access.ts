// Lets installations of integrations call with their own tokens. An installation has the rights of a guest: it reaches the
// spaces and sites on which it is installed, and nothing else. The integrations module knows these and implements this
// extension point.

import type { JobContext } from "../../../jobs/jobs";
import type { TargetContext } from "../../../operation/target";
import { type PartitionRef, parsePartitionCode } from "../../../storage/ids";
import type { Reader, Transaction } from "../../../storage/transaction";
import { defineExtensionPoint } from "../../../utils/extension-point";

/** The facts about installations that the modules below integrations need. */
export interface InstallationAccess {
  /** Returns when it was installed; undefined while it may not act because it is paused or removed. */
  readonly getInstalledAt: (tx: Reader, id: string) => Promise<string | undefined>;
  readonly getIntegrationName: (tx: Reader, id: string) => Promise<string | undefined>;
  /** Returns the spaces on which it is installed; `all` if it is installed on all of them. */
  readonly getSpaceIds: (tx: Reader, id: string) => Promise<readonly string[] | "all">;
  readonly isInstalledOn: (tx: Reader, id: string, kind: "space" | "site", place: string) => Promise<boolean>;
  /** Uninstalls from a space or site that has left the partition, with notices. Returns true if there may be more. */
  readonly uninstallFrom: (
    jobContext: JobContext,
    at: PartitionRef,
    tx: Transaction,
    kind: "space" | "site",
    place: string,
  ) => Promise<boolean>;
  /** Returns true if it has a scope to read content. */
  readonly canReadContent: (context: Pick<TargetContext, "tx" | "peek">, id: string) => Promise<boolean>;
}

export const installationAccess = defineExtensionPoint<InstallationAccess>("what installations may do");

export function isInstallationId(id: string): boolean {
  return parsePartitionCode("installation", id) !== undefined;
}
