// Names that are unique across organizations, such as subdomains. A name is claimed in the directory, used in the
// organization, and nothing is atomic across the two, so the order of the steps keeps the promise:
//
//  1. The organization writes down what it wants (`reserve`).
//  2. The directory's entry is pointed at the organization. An entry of another organization counts only while that one
//     has the name written down; otherwise it is void and may be taken over.
//  3. The organization's own transaction turns the wish into a holding (`hold`), beside the change that needed the name.
//
// Step 2 writes even when the entry already points here: a rival that is about to take a void entry over then fails its
// check. A wish that was dropped meanwhile makes step 3 fail, so a request that slept too long cannot come back and use a
// name that was given away. A crash leaves a wish or a void entry: both are harmless, and `deleteExpiredReservations` drops the wish.

import { DIRECTORY, generateRandomText } from "./ids";
import { encodeKey } from "./key";
import { Unavailable } from "./storage";
import type { Store } from "./store";
import type { Reader, Transaction } from "./transaction";
import { forEachEntry } from "./transaction-budget";

/** What a name is unique among. */
export type ClaimKind = "subdomain" | "site-host" | "integration";

export interface NameClaim {
  readonly kind: ClaimKind;
  readonly name: string;
}

export type NameReservation = { readonly attempt: string; readonly since: number; readonly held: boolean };

const encodeReservationKey = ({ kind, name }: NameClaim) => encodeKey("claim", kind, name);
const encodeClaimKey = ({ kind, name }: NameClaim) => encodeKey("claimed", kind, name);

/** Steps 1 and 2. Gives the attempt to hold with, or undefined when another organization has the name. */
export async function reserveName(store: Store, partition: string, claim: NameClaim): Promise<string | undefined> {
  const attempt = await store.write(partition, async (tx) => {
    const wish = (await tx.get(encodeReservationKey(claim))) as NameReservation | undefined;
    if (wish) return wish.attempt;
    const fresh: NameReservation = {
      attempt: generateRandomText(store.random, 16),
      since: store.now().getTime(),
      held: false,
    };
    tx.put(encodeReservationKey(claim), fresh);
    return fresh.attempt;
  });
  const ours = await store.write(DIRECTORY, async (tx) => {
    const holder = await getHolder(store, tx, claim);
    if (holder !== undefined && holder !== partition) return false;
    tx.put(encodeClaimKey(claim), { partition });
    return true;
  });
  if (ours) return attempt;
  await store.write(partition, async (tx) => {
    const wish = (await tx.get(encodeReservationKey(claim))) as NameReservation | undefined;
    if (wish && !wish.held && wish.attempt === attempt) tx.delete(encodeReservationKey(claim));
  });
  return undefined;
}

/** Whether the wish of an attempt is still there, so that the name can be held. */
export async function isNameReserved(tx: Reader, claim: NameClaim, attempt: string): Promise<boolean> {
  return ((await tx.get(encodeReservationKey(claim))) as NameReservation | undefined)?.attempt === attempt;
}

/** Step 3, in the transaction that begins to use the name. */
export async function holdName(tx: Transaction, claim: NameClaim, attempt: string): Promise<void> {
  const wish = (await tx.get(encodeReservationKey(claim))) as NameReservation | undefined;
  if (wish?.attempt !== attempt)
    throw new Unavailable(`The reservation of "${claim.name}" ran out.`, { outcome: "none" });
  if (!wish.held) tx.put(encodeReservationKey(claim), { ...wish, held: true });
}

/** Gives a name up, in the transaction that stops using it. */
export function releaseName(tx: Transaction, claim: NameClaim): void {
  tx.delete(encodeReservationKey(claim));
}

/** Drops the directory's entry of a name that was given up. Nothing depends on it: a void entry may be taken over. */
export async function deleteDirectoryEntry(store: Store, partition: string, claim: NameClaim): Promise<void> {
  await store.write(DIRECTORY, async (tx) => {
    const entry = (await tx.get(encodeClaimKey(claim))) as { partition: string } | undefined;
    if (entry?.partition === partition && !(await hasReservation(store, tx, partition, claim)))
      tx.delete(encodeClaimKey(claim));
  });
}

/** Points the directory's entry of a name at the organization that holds it, when it leads to nobody who has it written down.
 * Nothing but damage makes this necessary. True: it was. */
export async function repairDirectoryEntry(store: Store, partition: string, claim: NameClaim): Promise<boolean> {
  return store.write(DIRECTORY, async (tx) => {
    if ((await getHolder(store, tx, claim)) !== undefined || !(await hasReservation(store, tx, partition, claim)))
      return false;
    tx.put(encodeClaimKey(claim), { partition });
    return true;
  });
}

/** The partition that a name leads to. The caller must still check that the organization uses it. */
export async function getClaimingPartition(directory: Reader, claim: NameClaim): Promise<string | undefined> {
  return ((await directory.get(encodeClaimKey(claim))) as { partition: string } | undefined)?.partition;
}

/** Whether an organization holds a name, by a reader of its own partition. */
export async function isNameHeld(view: Reader, claim: NameClaim): Promise<boolean> {
  return ((await view.get(encodeReservationKey(claim))) as NameReservation | undefined)?.held === true;
}

/** Drops the wishes of requests that never reached step 3. This is safe at any age; the age only spares requests under
 * way. */
export async function deleteExpiredReservations(store: Store, partition: string, olderThan: Date): Promise<number> {
  return store.write(partition, async (tx) => {
    let dropped = 0;
    await forEachEntry(tx, { under: encodeKey("claim") }, async (entry) => {
      const { held, since } = entry.value as NameReservation;
      if (held || since >= olderThan.getTime()) return;
      // Whoever comes to hold it after all is not robbed of it: this checks it.
      await tx.get(entry.key);
      tx.delete(entry.key);
      dropped++;
    });
    return dropped;
  });
}

async function getHolder(store: Store, directory: Transaction, claim: NameClaim): Promise<string | undefined> {
  const partition = await getClaimingPartition(directory, claim);
  return partition !== undefined && (await hasReservation(store, directory, partition, claim)) ? partition : undefined;
}

/** Whether an organization has a name written down, at a moment that is not before that of the directory. */
async function hasReservation(
  store: Store,
  directory: Transaction,
  partition: string,
  claim: NameClaim,
): Promise<boolean> {
  const view = await directory.readPartition(partition, store.read);
  return (await view.get(encodeReservationKey(claim))) !== undefined;
}
