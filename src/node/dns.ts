// Verifies domains by DNS, for the option `verifyDomain`: the TXT record `_octavo-challenge.<domain>` holds the token.

import { Resolver } from "node:dns/promises";
import type { VerifyDomain } from "../ports/domain-verification";

export interface DnsVerifyDomainOptions {
  /** The DNS servers, as `Resolver.setServers` of `node:dns` takes them. Default: those of the system. */
  readonly servers?: readonly string[];
}

/** The errors of DNS that say that the record does not exist. */
const NOT_FOUND_CODES = new Set(["ENOTFOUND", "ENODATA"]);

/** Creates a function that verifies domains by DNS. It throws if a server does not respond, so that the check is retried. */
export function dnsVerifyDomain(options: DnsVerifyDomainOptions = {}): VerifyDomain {
  const resolver = new Resolver({ timeout: 3000, tries: 2 });
  if (options.servers) resolver.setServers(options.servers);
  return async ({ domain, token }) => {
    const records = await resolver.resolveTxt(`_octavo-challenge.${domain}`).catch((error: NodeJS.ErrnoException) => {
      if (NOT_FOUND_CODES.has(error.code ?? "")) return [];
      throw error;
    });
    // DNS splits long texts into chunks.
    return records.some((chunks) => chunks.join("") === token);
  };
}
