// Mail, which the host sends.

/** A mail to one person, as plain text and as HTML. Both say the same. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Sends a mail. */
export type SendMail = (mail: Mail) => Promise<unknown> | unknown;
