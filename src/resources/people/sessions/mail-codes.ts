// Requests to sign in by mail, in the directory. Each belongs to the browser that made it, and has two secrets that only the
// mail contains: one in its link, and a short code to type. Only digests of them are stored.

import { defineRecordSet } from "../../../storage/records";

export type MailCodeRecord = {
  /** The SHA-256 of the value that the browser holds in a cookie. */
  readonly browser: string;
  readonly email: string;
  /** The SHA-256 of the link's secret. */
  readonly link: string;
  /** A keyed digest of the short code. Readers of the storage could guess the code from a plain digest. */
  readonly code: string;
  /** The number of wrong codes that were typed. */
  readonly tries: number;
  /** The page to open after the sign-in: a path of this origin. */
  readonly to: string | null;
  readonly endsAt: string;
};

export const mailCodes = defineRecordSet("sign-in-mail", {
  key: (it: MailCodeRecord) => [it.browser],
  indexes: { endsAt: (it) => [it.endsAt] },
  sealed: [{ path: ["email"], lost: "" }],
});

/** The time for which a mail can be used. */
export const MAIL_CODE_MINUTES = 10;
/** The number of wrong codes that ends a request. */
export const MAX_MAIL_CODE_ATTEMPTS = 5;
