// Where a reader of a stream is: everything up to a version of the partition was told, and the time of that. The id of an
// event is its position, encrypted, because versions tell how much happens that the reader may not see.

import type { Secrets } from "../storage/secrets";
import type { Version } from "../storage/storage";

export interface Position {
  readonly version: Version;
  /** In milliseconds. What was committed after the version is not older, give or take the time of a slow commit. */
  readonly time: number;
}

const context = (partition: string) => `event-position ${partition}`;

/** A position as the id of an event. */
export function sealPosition(
  secrets: Pick<Secrets, "encrypt">,
  partition: string,
  { version, time }: Position,
): Promise<string> {
  return secrets.encrypt(`${version} ${time}`, context(partition));
}

/** The position of an id; undefined when it is not one of this partition. */
export async function openPosition(
  secrets: Pick<Secrets, "decrypt">,
  partition: string,
  id: string,
): Promise<Position | undefined> {
  const text = await secrets.decrypt(id, context(partition)).catch(() => "");
  const [, version, time] = text.match(/^(\d+) (\d+)$/) ?? [];
  return version === undefined ? undefined : { version: Number(version), time: Number(time) };
}
