// Templates: pages that a new space can begin with. A host passes its own; a few are built in.

/** A page of a template, with those below it. */
export interface TemplatePage {
  readonly title: string;
  /** Default: made from the title. */
  readonly slug?: string;
  readonly emoji?: string;
  readonly icon?: string;
  readonly description?: string;
  /** Without it the page is a group, which stands at the top and has only a title. */
  readonly markdown?: string;
  readonly pages?: readonly TemplatePage[];
}

/** What a space can be made from. */
export interface Template {
  /** Letters, digits, dashes and underscores; at most 64. */
  readonly id: string;
  readonly title: string;
  /** One sentence: what it is for. */
  readonly description: string;
  readonly pages: readonly TemplatePage[];
  readonly variables?: Readonly<Record<string, string>>;
}
