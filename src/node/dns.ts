// Proof of domains by DNS, for `verifyDomain` of the options: the TXT record `_octavo-challenge.<domain>` holds the token.

import { Resolver } from "node:dns/promises";
import type { VerifyDomain } from "../ports/domain-verification";

export interface DnsVerifyDomainOptions {
  /** The servers that are asked, as `Resolver.setServers` of `node:dns` takes them. Default: those of the system. */
  readonly servers?: readonly string[];
}

/** Answers of DNS that say that there is no such record. */
const ABSENT = new Set(["ENOTFOUND", "ENODATA"]);

/** Says whether DNS proves a domain. A server that does not answer throws, so that it is asked again. */
export function dnsVerifyDomain(options: DnsVerifyDomainOptions = {}): VerifyDomain {
  const resolver = new Resolver({ timeout: 3000, tries: 2 });
  if (options.servers) resolver.setServers(options.servers);
  return async ({ domain, token }) => {
    const records = await resolver.resolveTxt(`_octavo-challenge.${domain}`).catch((error: NodeJS.ErrnoException) => {
      if (ABSENT.has(error.code ?? "")) return [];
      throw error;
    });
    // A long text comes in pieces.
    return records.some((pieces) => pieces.join("") === token);
  };
}
