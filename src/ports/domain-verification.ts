// Verifies that a domain belongs to an organization. Naming a host for a site, or a domain of e-mail addresses, has no effect
// until the host application confirms the claim. Usually the proof is a TXT record with a token that is shown to no other
// organization.

import { type Secrets, toBase64url } from "../storage/secrets";
import { runWithTimeout } from "../utils/concurrency/timeout";

/** The claim that a domain belongs to an organization. */
export interface DomainClaim {
  readonly domain: string;
  /** The use of the domain: e-mail addresses of people, or the host of a site. */
  readonly kind: "email" | "site";
  readonly organization: string;
  /** The value of the TXT record `_octavo-challenge.<domain>` that proves the claim. */
  readonly token: string;
}

/**
 * Returns true if a claim is proven. If it throws, or takes longer than ten seconds, the claim is not proven yet and is
 * checked again later.
 */
export type VerifyDomain = (claim: DomainClaim) => Promise<boolean> | boolean;

/** The DNS record that proves a domain. */
export interface ProofRecord {
  readonly type: "TXT";
  readonly name: string;
  readonly value: string;
}

export interface DomainVerifier {
  /** True if the host passed `verifyDomain`. Without it, nothing can be proven. */
  readonly canVerify: boolean;
  /** Returns the record that an organization has to publish. */
  getProofRecord(organization: string, domain: string): ProofRecord;
  isProven(claim: Omit<DomainClaim, "token">): Promise<boolean>;
}

/** The time limit of one verification. */
const VERIFY_TIMEOUT_MS = 10_000;

export function createDomainVerifier(
  secrets: Pick<Secrets, "digest" | "digests">,
  verify: VerifyDomain | undefined,
  onError: (error: unknown) => void,
): DomainVerifier {
  return {
    canVerify: verify !== undefined,
    getProofRecord: (organization, domain) => ({
      type: "TXT",
      name: `_octavo-challenge.${domain}`,
      value: toBase64url(secrets.digest("domain-proof", JSON.stringify([organization, domain]))),
    }),
    async isProven(claim) {
      if (!verify) return false;
      try {
        // There is one token for each secret of the server, because the record may be older than the newest secret.
        for (const digest of secrets.digests("domain-proof", JSON.stringify([claim.organization, claim.domain]))) {
          const claimWithToken = { ...claim, token: toBase64url(digest) };
          if ((await runWithTimeout(VERIFY_TIMEOUT_MS, () => verify(claimWithToken))) === true) return true;
        }
        return false;
      } catch (error) {
        onError(error);
        return false;
      }
    },
  };
}

/** The time for which an unproven domain is checked again. */
const RETRY_PERIOD_MS = 3 * 24 * 60 * 60 * 1000;
const MIN_RETRY_DELAY_MS = 60_000;
const MAX_RETRY_DELAY_MS = 6 * 60 * 60 * 1000;

/** Returns the time at which an unproven domain is checked again, or undefined for never. The delays grow with its age. */
export function getNextVerification(namedAt: string, now: Date): Date | undefined {
  const ageMs = now.getTime() - new Date(namedAt).getTime();
  if (ageMs >= RETRY_PERIOD_MS) return undefined;
  return new Date(now.getTime() + Math.min(MAX_RETRY_DELAY_MS, Math.max(MIN_RETRY_DELAY_MS, ageMs)));
}
