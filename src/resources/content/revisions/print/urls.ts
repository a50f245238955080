// URLs of documents to print: whoever has one may read one state of one space, or a part of it, as PDF, for an hour or two and
// for as long as the person who asked for it may read the space. The signature binds all of that together.

import type { Secrets } from "../../../../secrets";
import type { Urls } from "../../../../urls";
import { claimsIn, isSealed, seal, sealEnd } from "../seals";

/** What such a URL stands for. */
export interface Print {
  readonly space: string;
  readonly revision: string;
  /** Null: all pages. */
  readonly page: string | null;
  /** Without the pages below. */
  readonly only: boolean;
  /** Who asked for it. */
  readonly user: string;
  /** Epoch seconds. */
  readonly until: number;
}

/** Where a document can be read for the rest of this hour and the next. */
export function printUrl(
  { urls, secrets, now }: { readonly urls: Urls; readonly secrets: Secrets; readonly now: Date },
  { space, revision, page, only, user }: Omit<Print, "until">,
): string {
  return urls.api(`/pdfs/${seal(secrets, "pdf", [space, revision, page, only, user, sealEnd(now)])}`);
}

/** What such a URL says it stands for; nothing is checked yet. */
export function printIn(sealed: string): Print | undefined {
  const claims = claimsIn(sealed);
  if (claims?.length !== 6) return undefined;
  const [space, revision, page, only, user, until] = claims;
  const isText = [space, revision, page ?? "", user].every((it) => typeof it === "string");
  const isPrint = isText && typeof only === "boolean" && typeof until === "number";
  return isPrint ? ({ space, revision, page, only, user, until } as Print) : undefined;
}

/** What such a URL stands for; undefined when it is forged or over. */
export function openPrint(secrets: Secrets, sealed: string, now: Date): Print | undefined {
  const found = printIn(sealed);
  return found && isSealed(secrets, "pdf", sealed) && found.until * 1000 > now.getTime() ? found : undefined;
}
