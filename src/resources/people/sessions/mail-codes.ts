// Requests to sign in by mail, in the directory. Each belongs to the browser that made it, and has two secrets that only
// the mail has: that of its link, and a short code to type. Only digests of them are stored.

import { defineRecordSet } from "../../../storage/records";

export type MailCodeRecord = {
  /** The SHA-256 of the value that the browser holds in a cookie. */
  readonly browser: string;
  readonly email: string;
  /** The SHA-256 of the link's secret. */
  readonly link: string;
  /** A keyed digest of the short code: a plain one could be guessed by whoever reads the storage. */
  readonly code: string;
  /** How often a wrong code was typed. */
  readonly tries: number;
  /** Where the person wants to go: a path of this origin. */
  readonly to: string | null;
  readonly endsAt: string;
};

export const mailCodes = defineRecordSet("sign-in-mail", {
  key: (it: MailCodeRecord) => [it.browser],
  indexes: { endsAt: (it) => [it.endsAt] },
  sealed: [{ path: ["email"], lost: "" }],
});

/** How long a mail can be used. */
export const MAIL_MINUTES = 10;
/** How many wrong codes end a request. */
export const MAX_TRIES = 5;
