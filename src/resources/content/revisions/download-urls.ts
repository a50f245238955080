// Download URLs: whoever has one may read one file of one space, for an hour or two and as long as the person who
// requested it may read the space. The signature covers the space, the bytes, the name, the type and the person, so a
// URL gives access to nothing else. URLs for one person within the same hour are equal, so answers that contain them do
// not change within the hour.

import type { FileEntry } from "../../../content/revision/entries";
import type { Actor } from "../../../operation/actor";
import type { Urls } from "../../../ports/urls";
import type { Secrets } from "../../../storage/secrets";
import type { MemberRecord } from "../../people/members/records";
import { readerName } from "./reader-names";
import { claimsIn, isSealed, seal, sealEnd, sealHour } from "./seals";

/** What a download URL gives access to. */
export interface Download {
  readonly space: string;
  readonly object: string;
  readonly name: string;
  readonly type: string;
  /** Who requested it. */
  readonly user: string;
  /** Epoch seconds. */
  readonly until: number;
}

/** What the URLs in an answer depend on beside their target: the person and the hour. */
export function downloadsVersion({ actor, me, now }: Pick<Signing, "actor" | "me" | "now">): string {
  return `${sealHour(now)}-${readerName({ actor, me })}`;
}

/** What making a download URL needs. */
export interface Signing {
  readonly urls: Urls;
  readonly secrets: Secrets;
  readonly now: Date;
  readonly actor: Pick<Actor, "user">;
  /** The caller's member record; undefined for visitors of sites. */
  readonly me: MemberRecord | undefined;
}

/** A URL at which a file can be read for the rest of this hour and the next. */
export function downloadUrl(
  { urls, secrets, space, now, actor, me }: Signing & { readonly space: { readonly id: string } },
  file: FileEntry,
): string {
  const { object, name, contentType } = file;
  const claims = [space.id, object, name, contentType, readerName({ actor, me }), sealEnd(now)];
  return urls.api(`/downloads/${seal(secrets, "download", claims)}`);
}

/** The space that a download claims, unchecked. */
export function spaceOf(download: string): string {
  return downloadIn(download)?.space ?? "";
}

/** The claims of a download URL; undefined when it is forged or expired. */
export function openDownload(secrets: Secrets, download: string, now: Date): Download | undefined {
  const found = downloadIn(download);
  const isGood = found && isSealed(secrets, "download", download) && found.until * 1000 > now.getTime();
  return isGood ? found : undefined;
}

function downloadIn(download: string): Download | undefined {
  const claims = claimsIn(download);
  if (claims?.length !== 6) return undefined;
  const [space, object, name, type, user, until] = claims;
  const isText = [space, object, name, type, user].every((it) => typeof it === "string");
  return isText && typeof until === "number" ? ({ space, object, name, type, user, until } as Download) : undefined;
}
