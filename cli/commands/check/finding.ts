// A problem that a check found. `octavo check --json` prints these objects.

export interface CheckFinding {
  readonly kind: "broken-link" | "page" | "computed-page" | "openapi" | "git" | "translation" | "job";
  /** The id of the space, or undefined for a problem of the whole organization. */
  readonly space?: string;
  /** The path of the page, or the name of the thing. */
  readonly where: string;
  readonly reason: string;
}
