// The position of a reader in a stream: the version of the partition up to which they have got everything, and its time. The id of an
// event is its position, encrypted, because versions reveal how much happens that the reader may not see.

import type { Secrets } from "../storage/secrets";
import type { Version } from "../storage/storage";

export interface StreamPosition {
  readonly version: Version;
  /** In milliseconds. Later commits are not older, give or take the time of a slow commit. */
  readonly time: number;
}

export function sealPosition(
  secrets: Pick<Secrets, "encrypt">,
  partition: string,
  { version, time }: StreamPosition,
): Promise<string> {
  return secrets.encrypt(`${version} ${time}`, `event-position ${partition}`);
}

/** Returns the position of an id; undefined if it is not one of this partition. */
export async function openPosition(
  secrets: Pick<Secrets, "decrypt">,
  partition: string,
  id: string,
): Promise<StreamPosition | undefined> {
  const text = await secrets.decrypt(id, `event-position ${partition}`).catch(() => "");
  const [, version, time] = text.match(/^(\d+) (\d+)$/) ?? [];
  return version === undefined ? undefined : { version: Number(version), time: Number(time) };
}
