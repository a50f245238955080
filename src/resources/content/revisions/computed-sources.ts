// The sources from which pages and files may be computed.

import type { ComputedContent, ComputedDefinition } from "../../../content/revision/computed";
import type { JobContext } from "../../../jobs/jobs";
import type { Objects } from "../../../storage/objects";
import type { Reader } from "../../../storage/transaction";
import { defineExtensionPoint } from "../../../utils/extension-point";
import type { InOrganization } from "../../people/organizations/rules";

/** Finds the source of a computed page; undefined when there is none, or it gave no result. */
export type Source = (from: Sources, definition: ComputedDefinition, space: string) => Promise<FromSource | undefined>;

/** The source of a page, and which of the readers of the page may see its result. */
export interface FromSource extends ComputedContent {
  readonly isSeenBy: (reader: InOrganization) => boolean;
}

/** A text that a source gives, and who may see it. */
export interface ComputedText extends Pick<FromSource, "isSeenBy"> {
  readonly text: () => Promise<string>;
}

/**
 * What sources read from. An answer that read another partition through `peek` is not kept, because that partition may
 * change unnoticed.
 */
export interface Sources {
  readonly tx: Reader;
  readonly objects: Objects;
  readonly peek: (partition: string) => Promise<Reader>;
  /** For asking integrations. */
  readonly jobContext: JobContext;
}

/** Content that integrations compute. */
export interface IntegrationSources {
  /** Whether a definition names a source of an integration. */
  readonly isNamedBy: (definition: ComputedDefinition) => boolean;
  readonly compute: Source;
  /** The text that a source gives for a page; undefined when there is no such source here. */
  readonly computeText: (
    from: Sources,
    definition: ComputedDefinition,
    space: string,
  ) => Promise<ComputedText | undefined>;
  /** Whether an organization has integrations that can compute pages. */
  readonly areThere: (tx: Reader) => Promise<boolean>;
}

export const integrationSources = defineExtensionPoint<IntegrationSources>("what integrations compute");
