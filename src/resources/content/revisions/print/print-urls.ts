// Signed URLs of PDF documents. A URL grants reading one state of one space, or a part of it, as PDF, for an hour or two and as long
// as the person who requested it may read the space. The signature covers all of that.

import { parseSignedClaims } from "../signed-claims";

/** The claims of such a URL. */
export interface PrintClaims {
  readonly space: string;
  readonly revision: string;
  /** Null: all pages. */
  readonly page: string | null;
  /** Without the pages below. */
  readonly only: boolean;
  /** The name of the reader who requested the URL. */
  readonly user: string;
  /** Epoch seconds. */
  readonly until: number;
}

/** Parses the claims of such a URL without checking the signature. */
export function parsePrintClaims(signed: string): PrintClaims | undefined {
  const claims = parseSignedClaims(signed);
  if (claims?.length !== 6) return undefined;
  const [space, revision, page, only, user, until] = claims;
  const areTexts = [space, revision, page ?? "", user].every((claim) => typeof claim === "string");
  const areValid = areTexts && typeof only === "boolean" && typeof until === "number";
  return areValid ? ({ space, revision, page, only, user, until } as PrintClaims) : undefined;
}
