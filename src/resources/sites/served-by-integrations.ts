// What integrations do for sites. The wing of integrations is above this one and fills this hook.

import type { JobContext } from "../../jobs/jobs";
import type { BinaryResponse } from "../../operation/binary-response";
import type { TargetContext } from "../../operation/target";
import type { Urls } from "../../ports/urls";
import type { Secrets } from "../../storage/secrets";
import type { Reader } from "../../storage/transaction";
import { defineExtensionPoint } from "../../utils/extension-point";
import type { StampedCache } from "../../utils/stamped-cache";
import type { SiteRecord } from "./records";

/** What looking something up needs. Using `peek` prevents keeping the answer, so it is read only when needed. */
export interface Looking {
  readonly tx: Reader;
  readonly peek: TargetContext["peek"];
}

/** What remembering something of an organization needs. */
export interface Remembered {
  readonly organization: { readonly id: string };
  readonly ports: { readonly cache: StampedCache };
}

/** The integration that signs in the visitors of a site. */
export interface VisitorSigner {
  /** The keys that it may have signed with, the current one first. */
  readonly keys: (secrets: Secrets) => readonly string[];
  /** Asks it where to send a visitor who wanted to see `location`, a path of the site. */
  readonly beginLogin: (work: JobContext, location: string | undefined) => Promise<BinaryResponse>;
}

/** A script in the published profile. */
export interface ListedScript {
  script: string;
  contentSecurityPolicy?: string;
  cookies: boolean;
  space?: string;
}

export interface ServedByIntegrations {
  /** The integration with a name that signs in the visitors of a site; undefined while it cannot. */
  readonly signerOf: (looking: Looking, site: string, name: string) => Promise<VisitorSigner | undefined>;
  /** The scripts of a site with these spaces, in the order of installation. */
  readonly scripts: (
    looking: Looking & {
      readonly urls: Urls;
      readonly secrets: Secrets;
      readonly ports: { readonly cache: StampedCache };
    },
    site: SiteRecord,
    spaces: readonly string[],
  ) => Promise<ListedScript[]>;
  /** Whether any installation may get this kind of event. */
  readonly isHeard: (
    looking: Looking & Remembered,
    event: { readonly type: string; readonly spaceId?: string; readonly siteId?: string },
  ) => Promise<boolean>;
}

export const served = defineExtensionPoint<ServedByIntegrations>("what integrations do for sites");
