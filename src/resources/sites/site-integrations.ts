// Extension point through which integrations serve sites. The integrations module depends on this one, so it registers its
// implementation here.

import type { JobContext } from "../../jobs/jobs";
import type { BinaryResponse } from "../../operation/binary-response";
import type { TargetContext } from "../../operation/target";
import type { Urls } from "../../ports/urls";
import type { Secrets } from "../../storage/secrets";
import { defineExtensionPoint } from "../../utils/extension-point";
import type { VersionedCache } from "../../utils/versioned-cache";
import type { SiteRecord } from "./records";

/** Context of a lookup. Using `peek` makes the response uncacheable, so read it only when needed. */
export type IntegrationLookupContext = Pick<TargetContext, "tx" | "peek">;

export interface CachedLookupContext extends IntegrationLookupContext {
  readonly organization: { readonly id: string };
  readonly ports: { readonly cache: VersionedCache };
}

export interface VisitorSigner {
  /** Returns the keys that it may have signed with, the current one first. */
  readonly getKeys: (secrets: Secrets) => readonly string[];
  /** Asks the integration where to send a visitor who requested `location`, a path of the site. */
  readonly beginLogin: (work: JobContext, location: string | undefined) => Promise<BinaryResponse>;
}

/** A script that an integration adds to pages of a site. */
export interface PublishedScript {
  script: string;
  contentSecurityPolicy?: string;
  cookies: boolean;
  space?: string;
}

export interface SiteIntegrations {
  /** Finds the named integration that signs in the visitors of a site; undefined while it is unable to. */
  readonly findVisitorSigner: (
    context: IntegrationLookupContext,
    site: string,
    name: string,
  ) => Promise<VisitorSigner | undefined>;
  /** Lists the scripts of a site that has these spaces, in order of installation. */
  readonly listScripts: (
    context: IntegrationLookupContext & {
      readonly urls: Urls;
      readonly secrets: Secrets;
      readonly ports: { readonly cache: VersionedCache };
    },
    site: SiteRecord,
    spaces: readonly string[],
  ) => Promise<PublishedScript[]>;
  /** Returns whether any installation may receive this kind of event. */
  readonly hasSubscriber: (
    context: CachedLookupContext,
    event: { readonly type: string; readonly spaceId?: string; readonly siteId?: string },
  ) => Promise<boolean>;
}

export const siteIntegrations = defineExtensionPoint<SiteIntegrations>("what integrations do for sites");
