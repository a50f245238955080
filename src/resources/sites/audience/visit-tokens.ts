// The token of a visitor: a JWT that names one visit of one site, for some minutes. It opens nothing by itself: what it
// says is checked against what is stored at every request (`visits.ts`). Nothing is stored, and it holds no secret.
//
// The header is one fixed text, and a token with any other header is none of ours. So the algorithm is never taken
// from a token.

import { type Actor, ANONYMOUS, type Visit } from "../../../operation/actor";
import { fromBase64url, type Secrets, toBase64url } from "../../../storage/secrets";
import { omitUndefined } from "../../../utils/objects";

const HEADER = toBase64url(new TextEncoder().encode(JSON.stringify({ alg: "HS256", typ: "JWT" })));
const ISSUER = "octavo";
const AUDIENCE = "octavo:visit";
const LIFETIME_SECONDS = 10 * 60;

/** A visit, and when its token ends, in epoch seconds. */
export interface VerifiedVisit {
  readonly visit: Visit;
  readonly exp: number;
}

/** A token for a visit. It ends no later than what vouched for the visitor: `until`, in epoch seconds. */
export function createVisitToken(secrets: Secrets, visit: Visit, now: Date, until = Number.POSITIVE_INFINITY): string {
  const iat = Math.floor(now.getTime() / 1000);
  const exp = Math.min(iat + LIFETIME_SECONDS, Math.floor(until));
  const payload = { iss: ISSUER, aud: AUDIENCE, ...visit, iat, exp };
  const signed = `${HEADER}.${toBase64url(new TextEncoder().encode(JSON.stringify(payload)))}`;
  return `${signed}.${toBase64url(secrets.digest("visit", signed))}`;
}

/** Whether a value looks like such a token. */
export function isVisitToken(value: string): boolean {
  return value.startsWith(`${HEADER}.`);
}

/** The visit of a token; undefined when the token is forged or expired. */
export function readVisitToken(secrets: Secrets, value: string, now: Date): VerifiedVisit | undefined {
  const [header, payload, signature, ...more] = value.split(".");
  if (header !== HEADER || payload === undefined || signature === undefined || more.length > 0) return undefined;
  if (!secrets.isDigest("visit", `${header}.${payload}`, signature)) return undefined;
  const { iss, aud, iat, exp, ...visit } = JSON.parse(new TextDecoder().decode(fromBase64url(payload)));
  const isGood = iss === ISSUER && aud === AUDIENCE && exp * 1000 > now.getTime() && iat <= exp;
  return isGood ? { visit, exp } : undefined;
}

/**
 * The caller of a token. `opens` are the names of the operations for visitors. Answers are kept for all visitors of
 * whom the same is known, and the URLs of files in them are equal.
 */
export function createVisitActor({ visit, exp }: VerifiedVisit, opens: readonly string[]): Actor {
  return {
    user: { ...ANONYMOUS.user, id: formatVisitReader(visit) },
    scopes: opens,
    expiresAt: new Date(exp * 1000).toISOString(),
    credentials: JSON.stringify(["visit", visit]),
    visit,
  };
}

const READER = "visit";

/** What let a visitor in. It is checked again at every use of a visit, and when a visitor fetches a file. */
export type VisitAdmission = Pick<
  Visit,
  "site" | "audience" | "state" | "shareLink" | "vouchedBy" | "member" | "preview"
>;

/** How signed URLs name the visitors of a site. No user has such an id. */
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
  const previewed = space === undefined ? [] : [space, changeRequest, revision, madeBy];
  return [READER, site, audience, state, shareLink ?? "", vouchedBy ?? "", member ?? "", ...previewed].join(" ");
}

/** The visitors that a signed URL was made for; undefined when it was made for a user. */
export function parseVisitReader(reader: string): VisitAdmission | undefined {
  const [word, site, audience, state, shareLink, vouchedBy, member, space, ...previewed] = reader.split(" ");
  const [changeRequest, revision, madeBy] = previewed;
  if (word !== READER || member === undefined) return undefined;
  return {
    site: site!,
    audience: audience!,
    state: state!,
    ...omitUndefined({
      shareLink: shareLink ? shareLink : undefined,
      vouchedBy: vouchedBy ? (vouchedBy as NonNullable<Visit["vouchedBy"]>) : undefined,
      member: member ? member : undefined,
      preview: space
        ? {
            space,
            ...(changeRequest ? { changeRequest } : {}),
            ...(revision ? { revision } : {}),
            madeBy: madeBy!,
          }
        : undefined,
    }),
  };
}
