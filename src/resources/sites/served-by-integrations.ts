// What integrations do for sites. The wing of integrations is above this one, and fills this hook.

import { hook } from "../../hook";
import type { Scope } from "../../operation/operation";
import type { Secrets } from "../../secrets";
import type { Sent } from "../../sent";
import type { Reader } from "../../store/transaction";
import type { Urls } from "../../urls";
import type { Work } from "../../work/jobs";

/** What there is to look with. `peek` is taken only when it is needed: an answer that looked elsewhere is not kept. */
export interface Looking {
  readonly tx: Reader;
  readonly peek: Scope["peek"];
}

/** The integration that signs the visitors of a site in. */
export interface VisitorSigner {
  /** The key that it signs with. */
  readonly key: (secrets: Secrets) => string;
  /** Asks it where a visitor goes who wanted to see `location`, a path of the site. */
  readonly beginLogin: (work: Work, location: string | undefined) => Promise<Sent>;
}

/** A script as the published profile lists it. */
export interface ListedScript {
  script: string;
  contentSecurityPolicy?: string;
  cookies: boolean;
  space?: string;
}

export interface ServedByIntegrations {
  /** The integration of a name that signs the visitors of a site in; undefined while it cannot. */
  readonly signerOf: (looking: Looking, site: string, name: string) => Promise<VisitorSigner | undefined>;
  /** The scripts of a site with these spaces, in the order of installation. */
  readonly scripts: (
    looking: Looking & { readonly urls: Urls; readonly secrets: Secrets },
    site: string,
    spaces: readonly string[],
  ) => Promise<ListedScript[]>;
  /** Whether any installation may hear of something. */
  readonly isHeard: (
    looking: Looking,
    event: { readonly type: string; readonly spaceId?: string; readonly siteId?: string },
  ) => Promise<boolean>;
}

export const served = hook<ServedByIntegrations>("what integrations do for sites");
