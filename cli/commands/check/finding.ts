// Something that a check found.

export interface Finding {
  readonly kind: "broken-link" | "page" | "computed-page" | "openapi" | "git" | "translation" | "job";
  /** The id of the space; undefined for what belongs to the whole organization. */
  readonly space?: string;
  /** The path of the page, or the name of the thing. */
  readonly where: string;
  /** A sentence. */
  readonly reason: string;
}
