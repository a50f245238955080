// Clients of SMTP, each with its strictest settings, for decision 91: what they send to a server that misbehaves.

import { createServer, type Socket } from "node:net";
import { formatMessage } from "../../../cli/commands/serve/send-mail";
import { createSmtpSender } from "../../../cli/commands/serve/smtp";
import { listenOn } from "../../support/listening";
import { runPart } from "./part";

const FROM = "octavo@example.com";
const TIMEOUT_MS = 500;
/** What is not over after six times the limit is not limited. */
const PATIENCE_MS = 6 * TIMEOUT_MS;

/** Sends one message. The host is a name of this machine that clients do not know to be local. */
type Send = (options: {
  readonly port: number;
  readonly to: string;
  readonly login?: { readonly user: string; readonly pass: string };
}) => Promise<unknown>;

type Case = (send: Send) => Promise<string>;

/** Runs a server that answers each line of a client, and returns the lines that it received, in capitals, until the client is done. */
async function collectLines(
  send: (port: number) => Promise<unknown>,
  respond: (line: string, socket: Socket) => string | undefined,
): Promise<{ lines: string[]; outcome: string }> {
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  const { port, close } = await listenOn(
    createServer((socket) => {
      sockets.add(socket);
      let isMessage = false;
      socket.on("error", () => {});
      socket.write("220 hello\r\n");
      socket.on("data", (bytes) => {
        for (const line of bytes.toString().toUpperCase().split("\r\n").filter(Boolean)) {
          if (isMessage && line !== ".") continue;
          isMessage = line === "DATA";
          lines.push(line);
          const answer = isMessage ? "354 go on" : respond(line, socket);
          if (answer !== undefined) socket.write(`${answer}\r\n`);
        }
      });
    }),
  );
  let timer: NodeJS.Timeout | undefined;
  const outcome = await Promise.race([
    send(port).then(
      () => "sent",
      () => "refused",
    ),
    new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve("waits"), PATIENCE_MS);
    }),
  ]);
  clearTimeout(timer);
  for (const socket of sockets) socket.destroy();
  await close();
  return { lines, outcome };
}

const accept = () => "250 fine";
const login = { user: "docs", pass: "secret" };
const to = "grace@example.com";

await runPart<Case>({
  alternatives: {
    nodemailer: async () => async (run) =>
      run(async ({ port, to: recipient, login: user }) => {
        const settings = { host: "0.0.0.0", port, isSecure: false, login: user };
        const sendMessage = await createSmtpSender(settings, { timeoutMs: TIMEOUT_MS });
        const mail = { to: recipient, subject: "Hello", text: "Hello", html: "<p>Hello</p>" };
        await sendMessage(FROM, recipient, formatMessage(mail, FROM));
      }),
    emailjs: async (load) => {
      const { SMTPClient } = await load("emailjs");
      return (run) =>
        run(async ({ port, to: recipient, login: user }) => {
          const client = new SMTPClient({
            host: "0.0.0.0",
            port,
            timeout: TIMEOUT_MS,
            ...(user && { tls: true, user: user.user, password: user.pass }),
          });
          await client.sendAsync({ from: FROM, to: recipient, subject: "Hello", text: "Hello" });
        });
    },
    "@upyo/smtp": async (load) => {
      const [{ SmtpTransport }, { createMessage }] = [await load("@upyo/smtp"), await load("@upyo/core")];
      return (run) =>
        run(async ({ port, to: recipient, login: user }) => {
          const timeouts = { connectionTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
          const transport = new SmtpTransport({ host: "0.0.0.0", port, secure: false, auth: user, ...timeouts });
          const message = createMessage({ from: FROM, to: recipient, subject: "Hello", content: { text: "Hello" } });
          const receipt = await transport.send(message, { signal: AbortSignal.timeout(TIMEOUT_MS) });
          await transport.closeAllConnections();
          if (!receipt.successful) throw new Error(receipt.errorMessages.join());
        });
    },
    "smtp-client": async (load) => {
      const { SMTPClient } = await load("smtp-client");
      return (run) =>
        run(async ({ port, to: recipient, login: user }) => {
          const client = new SMTPClient({ host: "0.0.0.0", port, timeout: TIMEOUT_MS });
          await client.connect({ timeout: TIMEOUT_MS });
          await client.greet({ hostname: "localhost", timeout: TIMEOUT_MS });
          if (user) await client.authPlain({ username: user.user, password: user.pass, timeout: TIMEOUT_MS });
          await client.mail({ from: FROM, timeout: TIMEOUT_MS });
          await client.rcpt({ to: recipient, timeout: TIMEOUT_MS });
          await client.data("Subject: Hello\r\n\r\nHello", { timeout: TIMEOUT_MS });
          await client.quit({ timeout: TIMEOUT_MS });
        });
    },
  },
  inputs: {
    "a message": () => async (send) => (await collectLines((port) => send({ port, to }), accept)).outcome,
    "a password, and no STARTTLS": () => async (send) => {
      const respond = (line: string) => {
        if (line.startsWith("EHLO")) return "250-hello\r\n250 AUTH PLAIN LOGIN";
        return line.startsWith("AUTH") ? "235 fine" : "250 fine";
      };
      const { lines, outcome } = await collectLines((port) => send({ port, to, login }), respond);
      return lines.some((line) => line.startsWith("AUTH")) ? "sends the password" : outcome;
    },
    "STARTTLS that fails": () => async (send) => {
      const respond = (line: string) => {
        if (line.startsWith("EHLO")) return "250-hello\r\n250 STARTTLS";
        return line.startsWith("STARTTLS") ? "454 not now" : "250 fine";
      };
      const { lines, outcome } = await collectLines((port) => send({ port, to }), respond);
      return lines.some((line) => line.startsWith("MAIL")) ? "sends without TLS" : outcome;
    },
    "a recipient with a line break": () => async (send) => {
      const recipient = "a@example.com>\r\nRCPT TO:<evil@example.com";
      const { lines, outcome } = await collectLines((port) => send({ port, to: recipient }), accept);
      return lines.some((line) => line.startsWith("RCPT TO:<EVIL")) ? "adds a command" : outcome;
    },
    "an answer without an end": () => async (send) => {
      const { outcome } = await collectLines(
        (port) => send({ port, to }),
        (_, socket) => {
          const timer = setInterval(() => socket.write("250-more\r\n"), 50);
          socket.once("close", () => clearInterval(timer));
          return undefined;
        },
      );
      return outcome;
    },
  },
  packages: {
    nodemailer: ["nodemailer"],
    emailjs: ["emailjs"],
    "@upyo/smtp": ["@upyo/smtp", "@upyo/core"],
    "smtp-client": ["smtp-client"],
  },
});
