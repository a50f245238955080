// Visitor tokens. A token is a JWT that describes one visit to one site and is valid for several minutes. It grants nothing by itself:
// every request checks its content against the stored records. The token isn't stored and contains no secret.
//
// The header is a fixed string, and a token with any other header is invalid, so the algorithm is never taken from a token.

import { type Actor, ANONYMOUS, type Visit } from "../../../operation/actor";
import { fromBase64url, type Secrets, toBase64url } from "../../../storage/secrets";
import { omitUndefined } from "../../../utils/objects";

const HEADER = toBase64url(new TextEncoder().encode(JSON.stringify({ alg: "HS256", typ: "JWT" })));
const ISSUER = "octavo";
const AUDIENCE = "octavo:visit";
/** A visit lasts this long, and no longer than the token that vouched for the visitor. */
export const VISIT_SECONDS = 10 * 60;

/** A visit of a visitor who was admitted, now or when their token was created. */
export interface VerifiedVisit {
  readonly visit: Visit;
  /** The time at which the visit ends, in epoch seconds. */
  readonly exp: number;
}

export function createVisitToken(secrets: Secrets, { visit, exp }: VerifiedVisit, now: Date): string {
  const iat = Math.floor(now.getTime() / 1000);
  const payload = { iss: ISSUER, aud: AUDIENCE, ...visit, iat, exp };
  const signed = `${HEADER}.${toBase64url(new TextEncoder().encode(JSON.stringify(payload)))}`;
  return `${signed}.${toBase64url(secrets.digest("visit", signed))}`;
}

export function isVisitToken(value: string): boolean {
  return value.startsWith(`${HEADER}.`);
}

/** Verifies a token, and returns its visit. Returns undefined if the token is forged or expired. */
export function readVisitToken(secrets: Secrets, value: string, now: Date): VerifiedVisit | undefined {
  const [header, payload, signature, ...more] = value.split(".");
  if (header !== HEADER || payload === undefined || signature === undefined || more.length > 0) return undefined;
  if (!secrets.isDigest("visit", `${header}.${payload}`, signature)) return undefined;
  const { iss, aud, iat, exp, ...visit } = JSON.parse(new TextDecoder().decode(fromBase64url(payload)));
  const isValid = iss === ISSUER && aud === AUDIENCE && exp * 1000 > now.getTime() && iat <= exp;
  return isValid ? { visit, exp } : undefined;
}

/**
 * Returns a visitor as the caller of operations. `operations` are the names of the operations that visitors may use. Visitors with the same claims share
 * cached responses, and the same URLs of files in them.
 */
export function createVisitActor({ visit, exp }: VerifiedVisit, operations: readonly string[]): Actor {
  return {
    user: { ...ANONYMOUS.user, id: formatVisitReader(visit) },
    scopes: operations,
    expiresAt: new Date(exp * 1000).toISOString(),
    credentials: JSON.stringify(["visit", visit]),
    visit,
  };
}

const READER_PREFIX = "visit";

/** The grounds on which a visitor was admitted. Every use of a visit checks them again, also when a visitor fetches a file. */
export type VisitAdmission = Pick<
  Visit,
  "site" | "audience" | "state" | "shareLink" | "vouchedBy" | "member" | "preview"
>;

/** Returns the name of a site's visitors in signed URLs. No user has such an id. */
export function formatVisitReader({
  site,
  audience,
  state,
  shareLink,
  vouchedBy,
  member,
  preview,
}: VisitAdmission): string {
  const { space, changeRequest = "", revision = "", madeBy = "" } = preview ?? {};
  const previewParts = space === undefined ? [] : [space, changeRequest, revision, madeBy];
  return [READER_PREFIX, site, audience, state, shareLink ?? "", vouchedBy ?? "", member ?? "", ...previewParts].join(
    " ",
  );
}

/** Returns the visitors that a signed URL was created for, or undefined if it was created for a user. */
export function parseVisitReader(reader: string): VisitAdmission | undefined {
  const [prefix, site, audience, state, shareLink, vouchedBy, member, space, ...previewParts] = reader.split(" ");
  const [changeRequest, revision, madeBy] = previewParts;
  if (prefix !== READER_PREFIX || member === undefined) return undefined;
  return {
    site: site!,
    audience: audience!,
    state: state!,
    ...omitUndefined({
      shareLink: shareLink || undefined,
      vouchedBy: vouchedBy ? (vouchedBy as NonNullable<Visit["vouchedBy"]>) : undefined,
      member: member || undefined,
      preview: space
        ? {
            space,
            ...omitUndefined({ changeRequest: changeRequest || undefined, revision: revision || undefined }),
            madeBy: madeBy!,
          }
        : undefined,
    }),
  };
}
