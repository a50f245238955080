// The caller of an operation: a user, a visitor of a published site, or nobody.

/** A caller who was identified by a token, by a session, or by the host application. */
export interface Actor {
  readonly user: {
    readonly id: string;
    readonly displayName: string;
    readonly email: string;
    readonly photoURL?: string | undefined;
  };
  /** The scopes that limit the caller; null: nothing but the user's own rights limits them. */
  readonly scopes: readonly string[] | null;
  /** The time at which the credentials expire; null: never. */
  readonly expiresAt: string | null;
  /** The credentials: a token, an installation, or the host application. Cached responses are kept apart by it. */
  readonly credentials: string;
  /** The SAML providers that vouched for the caller's session; undefined if the host vouches. */
  readonly samlProviderIds?: readonly string[] | undefined;
  /** The networks that an API token was used from; undefined for every other caller. */
  readonly usedNetworks?: readonly string[];
  /** The visit of a caller with a visitor token. A visitor is neither a user nor a member. */
  readonly visit?: Visit;
}

/** A visit of a published site, as the payload of a visitor token. Every use is checked against the stored records. */
export interface Visit {
  readonly organization: string;
  readonly site: string;
  /** The visibility of the site that admitted the visitor. */
  readonly audience: string;
  /** The claims about the visitor: `visitor.claims` in conditions. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** The share link that admitted the visitor. */
  readonly shareLink?: string;
  /** The authority behind the claims: the site's own key, its integration, or `ping` for a member. */
  readonly vouchedBy?: "key" | "integration" | "member";
  /** The id of the member that the visitor is. */
  readonly member?: string;
  /** A digest of what admitted the visitor, such as the key of the share link. The visit ends when it changes. */
  readonly state: string;
  /** The state of one space that replaces its published content. The right to preview it admitted the visitor. */
  readonly preview?: Preview;
}

/** The content that a preview shows of a space: the current proposal of a change request, or one revision. */
export interface Preview {
  readonly space: string;
  readonly changeRequest?: string;
  readonly revision?: string;
  /** The id of the user who made the preview, encrypted. The preview ends with the rights of that user. */
  readonly madeBy: string;
}

/** The caller of an open operation without usable credentials. No user has an empty id. */
export const ANONYMOUS: Actor = {
  user: { id: "", displayName: "", email: "" },
  scopes: [],
  expiresAt: null,
  credentials: "",
};

/** Returns the credentials of a user whom the host application vouches for. Other scopes make other credentials. */
export function getHostCredentials(user: string, scopes: Actor["scopes"]): string {
  return JSON.stringify(["host", user, scopes?.toSorted() ?? null]);
}
