// All members of an organization in the order in which they joined, as far as they decide rights: remembered until one comes,
// goes or gets another role.

import { iterateRows } from "../../../operation/pagination";
import type { Row } from "../../../storage/room";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { getOrCompute, type StampedCache } from "../../../utils/stamped-cache";
import { partitionOf } from "../organizations/records";
import { type MemberStanding, members } from "./records";

/** The members of an organization, for a request that only reads. */
export async function knownMembers({
  tx,
  organization,
  ports,
}: {
  readonly tx: Reader;
  readonly organization: { readonly id: string };
  readonly ports: { readonly cache: StampedCache };
}): Promise<readonly Row<MemberStanding>[]> {
  return getOrCompute(
    ports.cache,
    `${partitionOf(organization.id)} members`,
    String(await members.touched(tx, "standing")),
    async () => {
      const found: Row<MemberStanding>[] = [];
      for await (const { record, position } of iterateRows((slice) => members.list(tx, "joinedAt", slice))) {
        const { user, role, disabled, suspended } = record;
        found.push({
          record: { user, role, disabled, ...omitUndefined({ suspended: suspended ? suspended : undefined }) },
          position,
        });
      }
      return found;
    },
    (found) => 400 * found.length,
  );
}
