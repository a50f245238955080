// What pages and files may be computed from.

import type { Computed, Definition } from "../../../content/revision/computed";
import { hook } from "../../../hook";
import type { Objects } from "../../../store/objects";
import type { Reader } from "../../../store/transaction";
import type { Work } from "../../../work/jobs";
import type { InOrganization } from "../../people/organizations/rules";

/** Finds what a computed page of a space names; undefined when there is no such thing, or nothing came of it. */
export type Source = (from: Sources, definition: Definition, space: string) => Promise<FromSource | undefined>;

/** What a page is computed from, and who may see what comes of it among those who see the page. */
export interface FromSource extends Computed {
  readonly isSeenBy: (reader: InOrganization) => boolean;
}

/** What sources look into. Whoever looks at another partition by `peek` has the answer not kept: it may change unseen. */
export interface Sources {
  readonly tx: Reader;
  readonly objects: Objects;
  readonly peek: (partition: string) => Promise<Reader>;
  /** For asking integrations. */
  readonly work: Work;
}

/** What integrations compute. */
export interface IntegrationSources {
  /** Whether a definition names a source of an integration. */
  readonly isNamedBy: (definition: Definition) => boolean;
  readonly compute: Source;
  /** Whether an organization has integrations that could compute anything. */
  readonly areThere: (tx: Reader) => Promise<boolean>;
}

export const integrationSources = hook<IntegrationSources>("what integrations compute");
