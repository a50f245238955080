// Download URLs. A URL grants reading one file of one space, for an hour or two and as long as the person who requested it may
// read the space. The signature covers the space, the bytes, the name, the type and the person, so a URL grants nothing else.
// URLs for one person are equal within an hour, so responses that contain them do not change within the hour.

import type { FileEntry } from "../../../content/revision/entries";
import type { Actor } from "../../../operation/actor";
import type { Urls } from "../../../ports/urls";
import type { Secrets } from "../../../storage/secrets";
import type { MemberRecord } from "../../people/members/records";
import { getReaderName } from "./reader-names";
import { computeExpiry, getSigningHour, parseSignedClaims, signClaims } from "./signed-claims";

/** The claims of a download URL. */
export interface DownloadClaims {
  readonly space: string;
  readonly object: string;
  readonly name: string;
  readonly type: string;
  /** The name of the reader who requested the URL. */
  readonly user: string;
  /** Epoch seconds. */
  readonly until: number;
}

/** The context of signing URLs. */
export interface UrlSigningContext {
  readonly urls: Urls;
  readonly secrets: Secrets;
  readonly now: Date;
  readonly actor: Pick<Actor, "user">;
  /** The caller's member record. Undefined for visitors of sites. */
  readonly me: MemberRecord | undefined;
}

/** Returns a version for everything that the URLs in a response depend on besides their targets: the person and the hour. */
export function getDownloadsVersion({ actor, me, now }: Pick<UrlSigningContext, "actor" | "me" | "now">): string {
  return `${getSigningHour(now)}-${getReaderName({ actor, me })}`;
}

/** Creates a URL at which a file can be read for the rest of this hour and the next. */
export function createDownloadUrl(
  { urls, secrets, space, now, actor, me }: UrlSigningContext & { readonly space: { readonly id: string } },
  file: FileEntry,
): string {
  const { object, name, contentType } = file;
  const claims = [space.id, object, name, contentType, getReaderName({ actor, me }), computeExpiry(now)];
  return urls.api(`/downloads/${signClaims(secrets, "download", claims)}`);
}

/** Parses the claims of a download URL without checking the signature. */
export function parseDownloadClaims(download: string): DownloadClaims | undefined {
  const claims = parseSignedClaims(download);
  if (claims?.length !== 6) return undefined;
  const [space, object, name, type, user, until] = claims;
  const areTexts = [space, object, name, type, user].every((claim) => typeof claim === "string");
  return areTexts && typeof until === "number"
    ? ({ space, object, name, type, user, until } as DownloadClaims)
    : undefined;
}
