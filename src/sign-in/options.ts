// What a host decides about signing in.

export interface SignInOptions {
  /** How long sessions last. */
  readonly sessions?: {
    /** Days without use after which a session ends. Default: 14. */
    readonly idleDays?: number;
    /** Days after which a session ends, however much it is used. Default: 90. */
    readonly maxDays?: number;
  };
}
