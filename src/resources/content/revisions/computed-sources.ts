// The sources from which pages and files are computed.

import type { ComputedContent, ComputedDefinition } from "../../../content/revision/computed";
import type { JobContext } from "../../../jobs/jobs";
import type { TargetContext } from "../../../operation/target";
import type { Reader } from "../../../storage/transaction";
import { defineExtensionPoint } from "../../../utils/extension-point";
import type { OrganizationContext } from "../../people/organizations/rules";

/** Computes the content of a computed page. Returns undefined if its source does not exist or has no result. */
export type ComputeSource = (
  from: SourceContext,
  definition: ComputedDefinition,
  space: string,
) => Promise<ComputedSourceContent | undefined>;

/** The content of a source, and the readers of the page who may see it. */
export interface ComputedSourceContent extends ComputedContent {
  readonly isVisibleTo: (reader: OrganizationContext) => boolean;
}

/** A text that a source computes, and the readers who may see it. */
export interface ComputedText extends Pick<ComputedSourceContent, "isVisibleTo"> {
  readonly text: () => Promise<string>;
}

/**
 * The context from which sources read. A response that read another partition through `peek` is not cached, because that
 * partition may change unnoticed.
 */
export interface SourceContext extends Pick<TargetContext, "tx" | "objects" | "peek"> {
  /** For calls of integrations. */
  readonly jobContext: JobContext;
}

/** Content that integrations compute. */
export interface IntegrationSources {
  /** Checks whether a definition names a source of an integration. */
  readonly isIntegrationSource: (definition: ComputedDefinition) => boolean;
  readonly compute: ComputeSource;
  /** Returns the text that a source computes for a page, or undefined if the space has no such source. */
  readonly computeText: (
    from: SourceContext,
    definition: ComputedDefinition,
    space: string,
  ) => Promise<ComputedText | undefined>;
  /** Checks whether an organization has integrations that can compute pages. */
  readonly hasSources: (tx: Reader) => Promise<boolean>;
}

export const integrationSources = defineExtensionPoint<IntegrationSources>("what integrations compute");
