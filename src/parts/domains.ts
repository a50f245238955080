// Proof that a domain belongs to an organization. Naming a host for a site, or a domain of e-mail addresses, gives
// nothing: a name counts when the host application says that it is proven. Usually the proof is a TXT record with a
// token that only this organization is shown.

import { type Secrets, toBase64url } from "../secrets";

/** What is to be proven: that a domain belongs to whoever runs an organization. */
export interface DomainClaim {
  readonly domain: string;
  /** What it is named for: addresses of people, or the host of a site. */
  readonly kind: "email" | "site";
  readonly organization: string;
  /** What the TXT record `_octavo-challenge.<domain>` holds, if the domain is theirs. */
  readonly token: string;
}

/** Says whether a claim is proven. What throws, or takes longer than ten seconds, is not proven yet, and asked again. */
export type VerifyDomain = (claim: DomainClaim) => Promise<boolean> | boolean;

/** The record of DNS that proves a domain. */
export interface ProofRecord {
  readonly type: "TXT";
  readonly name: string;
  readonly value: string;
}

export interface Domains {
  /** Whether `verifyDomain` was given. Without it, nothing can be proven. */
  readonly canProve: boolean;
  /** What an organization has to publish. */
  recordOf(organization: string, domain: string): ProofRecord;
  isProven(claim: Omit<DomainClaim, "token">): Promise<boolean>;
}

/** How long an answer is waited for. */
const PATIENCE_MS = 10_000;

export function createDomains(
  secrets: Pick<Secrets, "digest">,
  verify: VerifyDomain | undefined,
  onError: (error: unknown) => void,
): Domains {
  const tokenOf = (organization: string, domain: string) =>
    toBase64url(secrets.digest("domain-proof", JSON.stringify([organization, domain])));
  return {
    canProve: verify !== undefined,
    recordOf: (organization, domain) => ({
      type: "TXT",
      name: `_octavo-challenge.${domain}`,
      value: tokenOf(organization, domain),
    }),
    async isProven(claim) {
      if (!verify) return false;
      try {
        const answer = Promise.resolve(verify({ ...claim, token: tokenOf(claim.organization, claim.domain) }));
        return (await inTime(answer)) === true;
      } catch (error) {
        onError(error);
        return false;
      }
    },
  };
}

/** The answer, if it comes in time; else false. */
async function inTime(answer: Promise<boolean>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** For how long a domain that is not proven yet is asked about again. */
const TRIED_FOR_MS = 3 * 24 * 60 * 60 * 1000;
const SHORTEST_GAP_MS = 60_000;
const LONGEST_GAP_MS = 6 * 60 * 60 * 1000;

/** When to ask again about a domain that is not proven; undefined: not any more. */
export function nextTry(namedAt: string, now: Date): Date | undefined {
  const age = now.getTime() - new Date(namedAt).getTime();
  if (age >= TRIED_FOR_MS) return undefined;
  return new Date(now.getTime() + Math.min(LONGEST_GAP_MS, Math.max(SHORTEST_GAP_MS, age)));
}
