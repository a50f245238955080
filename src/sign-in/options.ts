// What a host decides about signing in.

export interface SignInOptions {
  /** How long sessions last. */
  readonly sessions?: {
    /** Days without use after which a session ends. Default: 14. */
    readonly idleDays?: number;
    /** Days after which a session ends, however much it is used. Default: 90. */
    readonly maxDays?: number;
  };
  /** Single sign-on by SAML, for the providers of organizations. */
  readonly saml?: {
    /** The ids of providers whose signatures may still be made with SHA-1. Default: none. */
    readonly sha1?: readonly string[];
    /**
     * The ids of providers that are believed about every e-mail address; `all` where every organization is your own.
     * Otherwise a provider is believed about the proven domains of its organization. Default: none.
     */
    readonly trusted?: readonly string[] | "all";
  };
}
