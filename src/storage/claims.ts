// Names that are unique across organizations, such as subdomains. A name is claimed in the directory and used in the
// organization. Nothing is atomic across these two partitions, so the order of the steps guarantees uniqueness:
//
//  1. The organization stores a reservation (`reserveName`).
//  2. The directory's entry is pointed at the organization. An entry of another organization is valid only while that
//     organization has a reservation; otherwise it is void and can be taken over.
//  3. The organization's own transaction marks the reservation as held (`holdName`), together with the change that needs the name.
//
// Step 2 writes even if the entry already points to this organization: a rival that is about to take over a void entry then fails
// its check. Step 3 fails if the reservation was deleted in the meantime, so a request that was delayed for too long cannot use
// a name that has since been given away. A crash leaves a reservation or a void entry. Both are harmless, and
// `deleteExpiredReservations` deletes the reservation.

import { DIRECTORY, generateRandomText } from "./ids";
import { encodeKey } from "./key";
import { Unavailable } from "./storage";
import type { Store } from "./store";
import type { Reader, Transaction } from "./transaction";
import { forEachEntry } from "./transaction-budget";

/** The namespaces in which names are unique. */
export type ClaimKind = "subdomain" | "site-host" | "integration";

/** A name that an organization wants to use, and its namespace. */
export interface NameClaim {
  readonly kind: ClaimKind;
  readonly name: string;
}

export const nameClaims = {
  subdomain: (name: string): NameClaim => ({ kind: "subdomain", name }),
  siteHost: (name: string): NameClaim => ({ kind: "site-host", name }),
  /** The names of integrations are not case-sensitive. */
  integration: (name: string): NameClaim => ({ kind: "integration", name: name.toLowerCase() }),
};

/** The reservation of a name in an organization's partition. `held` is true once the name is in use. */
export type NameReservation = { readonly attempt: string; readonly since: number; readonly held: boolean };

const keys = {
  reservation: ({ kind, name }: NameClaim) => encodeKey("claim", kind, name),
  claim: ({ kind, name }: NameClaim) => encodeKey("claimed", kind, name),
};

/** Runs steps 1 and 2. Returns the attempt to pass to `holdName`, or undefined if another organization has the name. */
export async function reserveName(store: Store, partition: string, claim: NameClaim): Promise<string | undefined> {
  const attempt = await store.write(partition, async (tx) => {
    const existing = await getReservation(tx, claim);
    if (existing) return existing.attempt;
    const created: NameReservation = {
      attempt: generateRandomText(store.random, 16),
      since: store.now().getTime(),
      held: false,
    };
    tx.put(keys.reservation(claim), created);
    return created.attempt;
  });
  const isClaimed = await store.write(DIRECTORY, async (tx) => {
    const holder = await getHolder(store, tx, claim);
    if (holder !== undefined && holder !== partition) return false;
    tx.put(keys.claim(claim), { partition });
    return true;
  });
  if (isClaimed) return attempt;
  await store.write(partition, async (tx) => {
    const reservation = await getReservation(tx, claim);
    if (reservation && !reservation.held && reservation.attempt === attempt) tx.delete(keys.reservation(claim));
  });
  return undefined;
}

/** Runs step 3, in the transaction that starts to use the name. */
export async function holdName(tx: Transaction, claim: NameClaim, attempt: string): Promise<void> {
  const reservation = await getReservation(tx, claim);
  if (reservation?.attempt !== attempt)
    throw new Unavailable(`The reservation of "${claim.name}" ran out.`, { outcome: "none" });
  if (!reservation.held) tx.put(keys.reservation(claim), { ...reservation, held: true });
}

export function releaseName(tx: Transaction, claim: NameClaim): void {
  tx.delete(keys.reservation(claim));
}

/** Deletes the directory's entry of a released name. Nothing depends on it, because a void entry can be taken over. */
export async function deleteDirectoryEntry(store: Store, partition: string, claim: NameClaim): Promise<void> {
  await store.write(DIRECTORY, async (tx) => {
    if ((await getClaimingPartition(tx, claim)) === partition && !(await hasReservation(store, tx, partition, claim)))
      tx.delete(keys.claim(claim));
  });
}

/**
 * Points the directory's entry of a name at the organization that holds it, if the entry points to no organization with a
 * reservation. Only damaged data makes this necessary. Returns whether it was.
 */
export async function repairDirectoryEntry(store: Store, partition: string, claim: NameClaim): Promise<boolean> {
  return store.write(DIRECTORY, async (tx) => {
    if ((await getHolder(store, tx, claim)) !== undefined || !(await hasReservation(store, tx, partition, claim)))
      return false;
    tx.put(keys.claim(claim), { partition });
    return true;
  });
}

/** Returns the partition that a name points to. The caller must still check that the organization uses the name. */
export async function getClaimingPartition(directory: Reader, claim: NameClaim): Promise<string | undefined> {
  return ((await directory.get(keys.claim(claim))) as { partition: string } | undefined)?.partition;
}

/**
 * Deletes the reservations of requests that never reached step 3, and returns their number. This is safe at any age: `olderThan`
 * only spares requests that are still running.
 */
export async function deleteExpiredReservations(store: Store, partition: string, olderThan: Date): Promise<number> {
  return store.write(partition, async (tx) => {
    let deleted = 0;
    await forEachEntry(tx, { under: encodeKey("claim") }, async (entry) => {
      const { held, since } = entry.value as NameReservation;
      if (held || since >= olderThan.getTime()) return;
      // The read adds a check, so a reservation that becomes held in the meantime is not deleted.
      await tx.get(entry.key);
      tx.delete(entry.key);
      deleted++;
    });
    return deleted;
  });
}

/** Returns the reservation of a name. `tx` reads the organization's own partition. */
export async function getReservation(tx: Reader, claim: NameClaim): Promise<NameReservation | undefined> {
  return (await tx.get(keys.reservation(claim))) as NameReservation | undefined;
}

async function getHolder(store: Store, directory: Transaction, claim: NameClaim): Promise<string | undefined> {
  const partition = await getClaimingPartition(directory, claim);
  return partition !== undefined && (await hasReservation(store, directory, partition, claim)) ? partition : undefined;
}

/** Returns whether an organization has a reservation, in a snapshot that is not older than that of the directory. */
async function hasReservation(
  store: Store,
  directory: Transaction,
  partition: string,
  claim: NameClaim,
): Promise<boolean> {
  const view = await directory.readPartition(partition, store.read);
  return (await getReservation(view, claim)) !== undefined;
}
