// Proves that a domain belongs to an organization. Naming a host for a site, or a domain of e-mail addresses, has no
// effect until the host application says that it is proven. Usually the proof is a TXT record with a token that only
// this organization is shown.

import { type Secrets, toBase64url } from "../storage/secrets";
import { runWithTimeout } from "../utils/concurrency/timeout";

/** A claim to be proven: this domain belongs to this organization. */
export interface DomainClaim {
  readonly domain: string;
  /** What the domain is used for: e-mail addresses of people, or the host of a site. */
  readonly kind: "email" | "site";
  readonly organization: string;
  /** The value of the TXT record `_octavo-challenge.<domain>` that proves the claim. */
  readonly token: string;
}

/**
 * Says whether a claim is proven. When it throws, or takes longer than ten seconds, the claim is not proven yet, and it
 * is asked again later.
 */
export type VerifyDomain = (claim: DomainClaim) => Promise<boolean> | boolean;

/** The DNS record that proves a domain. */
export interface ProofRecord {
  readonly type: "TXT";
  readonly name: string;
  readonly value: string;
}

export interface DomainVerifier {
  /** Whether `verifyDomain` was given. Without it, nothing can be proven. */
  readonly canVerify: boolean;
  /** The record that an organization has to publish. */
  getProofRecord(organization: string, domain: string): ProofRecord;
  isProven(claim: Omit<DomainClaim, "token">): Promise<boolean>;
}

/** How long to wait for an answer. */
const PATIENCE_MS = 10_000;

export function createDomainVerifier(
  secrets: Pick<Secrets, "digest" | "digests">,
  verify: VerifyDomain | undefined,
  onError: (error: unknown) => void,
): DomainVerifier {
  const claimed = (organization: string, domain: string) => JSON.stringify([organization, domain]);
  return {
    canVerify: verify !== undefined,
    getProofRecord: (organization, domain) => ({
      type: "TXT",
      name: `_octavo-challenge.${domain}`,
      value: toBase64url(secrets.digest("domain-proof", claimed(organization, domain))),
    }),
    async isProven(claim) {
      if (!verify) return false;
      try {
        for (const digest of secrets.digests("domain-proof", claimed(claim.organization, claim.domain))) {
          const proof = { ...claim, token: toBase64url(digest) };
          if ((await runWithTimeout(PATIENCE_MS, () => verify(proof))) === true) return true;
        }
        return false;
      } catch (error) {
        onError(error);
        return false;
      }
    },
  };
}

/** For how long an unproven domain is checked again. */
const TRIED_FOR_MS = 3 * 24 * 60 * 60 * 1000;
const SHORTEST_GAP_MS = 60_000;
const LONGEST_GAP_MS = 6 * 60 * 60 * 1000;

/** When to check an unproven domain again; undefined: never. */
export function getNextVerification(namedAt: string, now: Date): Date | undefined {
  const age = now.getTime() - new Date(namedAt).getTime();
  if (age >= TRIED_FOR_MS) return undefined;
  return new Date(now.getTime() + Math.min(LONGEST_GAP_MS, Math.max(SHORTEST_GAP_MS, age)));
}
