// The host's mailer.

/** A mail to one person, as plain text and as HTML with the same content. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Sends a mail. */
export type SendMail = (mail: Mail) => Promise<unknown> | unknown;
