// Download URLs: whoever has one may read one file of one space, for an hour or two. The signature binds the space, the
// bytes, the name and the type, so a URL opens nothing but what it was made for. URLs made within the same hour are equal:
// an answer that holds one stays the same for as long.

import type { FileEntry } from "../../content/revision/entries";
import type { Urls } from "../../operation";
import type { Secrets } from "../../secrets";
import { claimsIn, isSealed, seal, sealEnd, sealHour } from "./seals";

/** What a download URL stands for. */
export interface Download {
  readonly space: string;
  readonly object: string;
  readonly name: string;
  readonly type: string;
  /** Epoch seconds. */
  readonly until: number;
}

/** The hour that URLs made at a time are equal in. */
export const downloadHour = sealHour;

/** Where a file can be read for the rest of this hour and the next. */
export function downloadUrl(
  { urls, secrets, space, now }: { urls: Urls; secrets: Secrets; space: { id: string }; now: Date },
  file: FileEntry,
): string {
  const { object, name, contentType } = file;
  return urls.api(`/downloads/${seal(secrets, "download", [space.id, object, name, contentType, sealEnd(now)])}`);
}

/** The space that a download says it is of; nothing is checked yet. */
export function spaceOf(download: string): string {
  return downloadIn(download)?.space ?? "";
}

/** What a download stands for; undefined when it is forged or over. */
export function openDownload(secrets: Secrets, download: string, now: Date): Download | undefined {
  const found = downloadIn(download);
  const isGood = found && isSealed(secrets, "download", download) && found.until * 1000 > now.getTime();
  return isGood ? found : undefined;
}

function downloadIn(download: string): Download | undefined {
  const claims = claimsIn(download);
  if (claims?.length !== 5) return undefined;
  const [space, object, name, type, until] = claims;
  const isText = [space, object, name, type].every((it) => typeof it === "string");
  return isText && typeof until === "number" ? ({ space, object, name, type, until } as Download) : undefined;
}
