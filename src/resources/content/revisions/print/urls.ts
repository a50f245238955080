// Signed URLs of documents to print: whoever has one may read one state of one space, or a part of it, as PDF, for an
// hour or two and as long as the person who requested it may read the space. The signature covers all of that.

import type { Urls } from "../../../../ports/urls";
import type { Secrets } from "../../../../storage/secrets";
import { claimsIn, isSealed, seal, sealEnd } from "../seals";

/** What such a URL gives access to. */
export interface Print {
  readonly space: string;
  readonly revision: string;
  /** Null: all pages. */
  readonly page: string | null;
  /** Without the pages below. */
  readonly only: boolean;
  /** Who requested it. */
  readonly user: string;
  /** Epoch seconds. */
  readonly until: number;
}

/** A URL at which a document can be read for the rest of this hour and the next. */
export function printUrl(
  { urls, secrets, now }: { readonly urls: Urls; readonly secrets: Secrets; readonly now: Date },
  { space, revision, page, only, user }: Omit<Print, "until">,
): string {
  return urls.api(`/pdfs/${seal(secrets, "pdf", [space, revision, page, only, user, sealEnd(now)])}`);
}

/** The claims of such a URL, unchecked. */
export function printIn(sealed: string): Print | undefined {
  const claims = claimsIn(sealed);
  if (claims?.length !== 6) return undefined;
  const [space, revision, page, only, user, until] = claims;
  const isText = [space, revision, page ?? "", user].every((it) => typeof it === "string");
  const isPrint = isText && typeof only === "boolean" && typeof until === "number";
  return isPrint ? ({ space, revision, page, only, user, until } as Print) : undefined;
}

/** The claims of such a URL; undefined when it is forged or expired. */
export function openPrint(secrets: Secrets, sealed: string, now: Date): Print | undefined {
  const found = printIn(sealed);
  return found && isSealed(secrets, "pdf", sealed) && found.until * 1000 > now.getTime() ? found : undefined;
}
