// Download URLs: whoever has one may read one file of one space, for an hour or two. The signature binds the space, the
// bytes, the name and the type, so a URL opens nothing but what it was made for. URLs made within the same hour are equal:
// an answer that holds one stays the same for as long.

import type { FileEntry } from "../../content/revision/entries";
import type { Urls } from "../../operation";
import { fromBase64url, type Secrets, sameText, toBase64url } from "../../secrets";

/** What a download URL stands for. */
export interface Download {
  readonly space: string;
  readonly object: string;
  readonly name: string;
  readonly type: string;
  /** Epoch seconds. */
  readonly until: number;
}

const HOUR = 3600;

/** The hour that URLs made at a time are equal in. */
export function downloadHour(now: Date): number {
  return Math.floor(now.getTime() / 1000 / HOUR);
}

/** Where a file can be read for the rest of this hour and the next. */
export function downloadUrl(
  { urls, secrets, space, now }: { urls: Urls; secrets: Secrets; space: { id: string }; now: Date },
  file: FileEntry,
): string {
  const until = (downloadHour(now) + 2) * HOUR;
  const { object, name, contentType } = file;
  const claims = JSON.stringify([space.id, object, name, contentType, until]);
  const text = toBase64url(new TextEncoder().encode(claims));
  return urls.api(`/downloads/${text}.${signature(secrets, text)}`);
}

/** The space that a download says it is of; nothing is checked yet. */
export function spaceOf(download: string): string {
  return claimsOf(download)?.space ?? "";
}

/** What a download stands for; undefined when it is forged or over. */
export function openDownload(secrets: Secrets, download: string, now: Date): Download | undefined {
  const [text = "", signed = "", ...more] = download.split(".");
  const claims = claimsOf(download);
  if (more.length > 0 || !claims || !sameText(signature(secrets, text), signed) || claims.until * 1000 <= now.getTime())
    return undefined;
  return claims;
}

function claimsOf(download: string): Download | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(fromBase64url(download.split(".")[0]!));
    const claims: unknown = JSON.parse(text);
    if (!Array.isArray(claims) || claims.length !== 5) return undefined;
    const [space, object, name, type, until] = claims;
    const isText = [space, object, name, type].every((it) => typeof it === "string");
    return isText && typeof until === "number" ? { space, object, name, type, until } : undefined;
  } catch {
    return undefined;
  }
}

function signature(secrets: Secrets, text: string): string {
  return toBase64url(secrets.digest("download", text));
}
