// Sends messages through the SMTP server that SMTP_URL names, with the package nodemailer. Each connection carries one message.

import { createConcurrencyLimiter } from "../../../src/utils/concurrency/concurrency-limiter";
import { omitUndefined } from "../../../src/utils/objects";
import { CommandError, type CommandInput, UsageError } from "../../framework/command";
import { replaceControlCharacters } from "../../framework/terminal";

/** The longest time that a message takes, with the wait for a connection. The job of a mail has a lease of a minute. */
const TIMEOUT_MS = 30_000;
/** Invites can be many at once, and mail servers limit the connections of a client. */
const MAX_CONNECTIONS = 4;
const MAX_REASON_LENGTH = 300;

export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** Uses TLS from the first byte. Otherwise STARTTLS is used if the server offers it. */
  readonly isSecure: boolean;
  readonly login: { readonly user: string; readonly pass: string } | undefined;
}

export type SendMessage = (from: string, to: string, message: string) => Promise<void>;

/** Reads SMTP_URL. The value has a password, so no error repeats it. */
export function readSmtpSettings({ text }: CommandInput): SmtpSettings | undefined {
  const value = text("smtp-url");
  if (value === undefined) return undefined;
  const usageError = new UsageError(
    "SMTP_URL must be smtp://user:password@host:port or smtps://user:password@host:port, without a path. Special characters of the password are percent-encoded.",
  );
  if (!/^smtps?:\/\//.test(value) || !URL.canParse(value)) throw usageError;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(value);
  const host = hostname.replace(/^\[|\]$/g, "");
  if (!/^[\w.:-]+$/.test(host) || !["", "/"].includes(pathname) || search !== "" || hash !== "") throw usageError;
  if ((username === "") !== (password === "")) throw usageError;
  const isSecure = protocol === "smtps:";
  try {
    return {
      host,
      port: port === "" ? (isSecure ? 465 : 587) : Number(port),
      isSecure,
      login: username === "" ? undefined : { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    };
  } catch {
    throw usageError;
  }
}

/**
 * Creates the function that sends a message. It rejects if the server does not accept the message in time. A password is sent over
 * TLS only, unless the server is on this machine.
 */
export async function createSmtpSender(
  { host, port, isSecure, login }: SmtpSettings,
  { timeoutMs = TIMEOUT_MS, ca }: { readonly timeoutMs?: number; readonly ca?: string } = {},
): Promise<SendMessage> {
  const { createTransport } = await import("nodemailer").catch(() => {
    throw new CommandError(
      "SMTP_URL requires the package nodemailer, which could not be loaded. Run npm install nodemailer.",
    );
  });
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
  const transport = createTransport({
    host,
    port,
    secure: isSecure,
    requireTLS: login !== undefined && !isSecure && !isLocal,
    tls: omitUndefined({ ca }),
    ...omitUndefined({ auth: login }),
    // The whole message has one limit, the signal, which comes first.
    connectionTimeout: 2 * timeoutMs,
    greetingTimeout: 2 * timeoutMs,
    socketTimeout: 2 * timeoutMs,
  });
  const limit = createConcurrencyLimiter(MAX_CONNECTIONS);
  return async (from, to, raw) => {
    if (/[\p{Cc}\s<>]/u.test(to)) throw new Error("An email was not sent: its recipient is not an email address.");
    const signal = AbortSignal.timeout(timeoutMs);
    return limit(async () => {
      try {
        await transport.sendMail({ envelope: { from, to: [{ name: "", address: to }] }, raw, signal });
      } catch (error) {
        const { code, responseCode, message } = error as Error & { code?: string; responseCode?: number };
        let reason = message;
        if (signal.aborted) reason = `It took more than ${timeoutMs / 1000} seconds.`;
        // A response to a password might contain it.
        else if (code === "EAUTH" && responseCode !== undefined)
          reason = `It refused the user name or the password of SMTP_URL (${responseCode}).`;
        throw new Error(
          `The mail server ${host}:${port} did not accept an email: ${replaceControlCharacters(reason).slice(0, MAX_REASON_LENGTH)}`,
        );
      }
    });
  };
}
