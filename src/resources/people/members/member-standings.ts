// Caches the standings of all members of an organization, in the order in which they joined, until a member joins, leaves or
// gets another role.

import { iterateRows } from "../../../operation/pagination";
import type { Reader } from "../../../storage/transaction";
import type { PositionedRecord } from "../../../storage/transaction-budget";
import { omitUndefined } from "../../../utils/objects";
import type { VersionedCache } from "../../../utils/versioned-cache";
import { findOrganizationPartition } from "../organizations/records";
import { type MemberStanding, members } from "./records";

/** Returns the standings of all members, for a request that only reads. */
export async function getMemberStandings({
  tx,
  organization,
  ports,
}: {
  readonly tx: Reader;
  readonly organization: { readonly id: string };
  readonly ports: { readonly cache: VersionedCache };
}): Promise<readonly PositionedRecord<MemberStanding>[]> {
  return ports.cache.getOrCompute(
    `${findOrganizationPartition(organization.id)} members`,
    [await members.getGuardVersion(tx, "standing")],
    async () => {
      const standings: PositionedRecord<MemberStanding>[] = [];
      for await (const { record, position } of iterateRows((slice) => members.list(tx, "joinedAt", slice))) {
        const { user, role, disabled, suspended } = record;
        standings.push({
          record: { user, role, disabled, ...omitUndefined({ suspended: suspended || undefined }) },
          position,
        });
      }
      return standings;
    },
    (standings) => 400 * standings.length,
  );
}
