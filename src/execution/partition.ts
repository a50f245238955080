// Finds the partition that a call runs in. The path alone decides, so a path that leads nowhere costs no read.

import type { Actor } from "../operation/actor";
import { CODE_LENGTH, encodeIdText, generateRandomText } from "../storage/ids";
import type { Kernel, RawInput, RegisteredOperation, RequestConditions } from "./kernel";

/** Returns the partition that a path leads to; undefined if it leads nowhere, or if the operation creates its partition. */
export function findPartition({ definition }: RegisteredOperation, params: RawInput["params"]): string | undefined {
  const target = definition.spec.target;
  return !target.isVacant && hasWellFormedIds(params) ? target.findPartition(params, "") : undefined;
}

/** Returns true if this API could have made all ids of a path. Any other id leads nowhere. */
export function hasWellFormedIds(params: RawInput["params"]): boolean {
  return Object.entries(params).every(([name, value]) => !name.endsWith("Id") || /^[A-Za-z0-9_-]{1,64}$/.test(value));
}

/** Returns the partition that a call creates, or that an earlier request with the same Idempotency-Key has created. */
export async function choosePartitionToCreate(
  kernel: Kernel,
  { definition }: RegisteredOperation,
  { params }: RawInput,
  actor: Actor,
  { partitionCode, idempotencyKey }: RequestConditions,
): Promise<string | undefined> {
  const target = definition.spec.target;
  if (partitionCode !== undefined) return target.findPartition(params, partitionCode);
  if (idempotencyKey === undefined)
    return target.findPartition(params, generateRandomText(kernel.store.random, CODE_LENGTH));

  // A repeated request must find the partition that the first one created, so the code follows from the key and the secret. The
  // secret may have been replaced since: there is one digest for each secret, the current one first.
  const digests = kernel.secrets.digests("fresh-code", JSON.stringify([actor.credentials, idempotencyKey]));
  const [code, ...olderCodes] = digests.map((digest) => encodeIdText(digest.slice(0, CODE_LENGTH)));
  for (const olderCode of olderCodes) {
    const partition = target.findPartition(params, olderCode);
    if (partition !== undefined && (await kernel.store.read(partition)).version > 0) return partition;
  }
  return target.findPartition(params, code!);
}
