// Templates: pages that a new space can start with. A host passes its own templates; a few are built in.

export interface TemplatePage {
  readonly title: string;
  /** Default: derived from the title. */
  readonly slug?: string;
  readonly emoji?: string;
  readonly icon?: string;
  readonly description?: string;
  /** The text of the page. A page without it is a group, which has only a title and belongs to the top level. */
  readonly markdown?: string;
  readonly pages?: readonly TemplatePage[];
}

/** A template for a new space. */
export interface Template {
  /** Letters, digits, dashes and underscores; at most 64. */
  readonly id: string;
  readonly title: string;
  /** One sentence about the purpose of the template. */
  readonly description: string;
  readonly pages: readonly TemplatePage[];
  readonly variables?: Readonly<Record<string, string>>;
}
