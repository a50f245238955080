// Mails through SMTP_URL, to a real SMTP server: what arrives, what is refused, and what a hostile or slow server can do.

import { createServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { memoryStorage } from "octavo/memory";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { describe, expect, test } from "vitest";
import { formatMessage } from "../../cli/commands/serve/send-mail";
import { createSmtpSender, readSmtpSettings, type SmtpSettings } from "../../cli/commands/serve/smtp";
import { afterwards, listen } from "../node/servers";
import { until } from "../support/patience";
import { MINUTE, setUp } from "../support/setting";
import { octavo, program, runCommand, start } from "./processes";

/** A certificate of localhost and 127.0.0.1 that nobody else uses. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQghRlFpNYi+XwWYVq1
EXniLN5hPEUS5ZL1K6ZN8ek+K3OhRANCAAQxtr/nbl/GfQ8x8j06hYExgGTeCWnP
+S9Y7q+bovE3sas3/sCD1BL8y5KEIVIwWALyRxmNn9iYCQj3O320wCrc
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUepXVAT1tsokhsqbdi3WeA5o1IY4wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExOTIzNTA1NFoYDzIxMjYxMDI2
MjM1MDU0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQxtr/nbl/GfQ8x8j06hYExgGTeCWnP+S9Y7q+bovE3sas3/sCD1BL8
y5KEIVIwWALyRxmNn9iYCQj3O320wCrco28wbTAdBgNVHQ4EFgQUpSiCK/9NkVsB
ix+ryqfKcYtMfg4wHwYDVR0jBBgwFoAUpSiCK/9NkVsBix+ryqfKcYtMfg4wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgd1Aw6KMsBSijnEv/E/wzpbfNm80pRoRJTx7nfyDxR1ICIQDi
ytGQTXTfzxtjG/tpKQR7izfEg2GEmlcUVHDFYq6Klw==
-----END CERTIFICATE-----`;

const PASSWORD = "p@ss:wörd/%";
const login = { user: "docs", pass: PASSWORD };
const mail = {
  to: "grace@example.com",
  subject: "Einladung zu 文档 für Grüße",
  text: `.\nÖffnen Sie diesen Link:\n\n${"https://docs.example.com/".repeat(200)}\n`,
  html: "<p>Öffnen</p>\n",
};
const message = formatMessage(mail, "octavo@example.com");

interface Delivery {
  readonly from: string;
  readonly to: readonly string[];
  readonly message: string;
  readonly isSecure: boolean;
  readonly user: string | undefined;
}

/** Starts a mail server that accepts one login, and collects what is delivered to it. */
async function startMailServer(options: SMTPServerOptions = {}) {
  const deliveries: Delivery[] = [];
  const logins: string[] = [];
  const open = { now: 0, most: 0 };
  const server = new SMTPServer({
    key: KEY,
    cert: CERTIFICATE,
    authOptional: true,
    disableReverseLookup: true,
    onConnect(_session, done) {
      open.most = Math.max(open.most, ++open.now);
      done();
    },
    onClose() {
      open.now--;
    },
    onAuth({ username = "", password }, _session, done) {
      logins.push(username);
      if (username === login.user && password === PASSWORD) done(null, { user: username });
      else done(new Error(`no such password: ${password}`));
    },
    onData(stream, session, done) {
      void text(stream).then((received) => {
        const { mailFrom, rcptTo } = session.envelope;
        deliveries.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          message: received,
          isSecure: session.secure,
          user: session.user as string | undefined,
        });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterwards(() => new Promise<void>((resolve) => server.close(resolve)));
  return { port: (server.server.address() as { port: number }).port, deliveries, logins, open };
}

/** Sends the message to a server of this machine. */
async function send(port: number, settings: Partial<SmtpSettings> = {}, options = {}) {
  const smtp = { host: "127.0.0.1", port, isSecure: false, login: undefined, ...settings };
  const sendMessage = await createSmtpSender(smtp, { ca: CERTIFICATE, ...options });
  await sendMessage("octavo@example.com", mail.to, message);
}

/** Starts a server that answers each line of a client with the line that `respond` returns. */
async function startScript(greeting: string, respond: (line: string, socket: Socket) => string | undefined) {
  const lines: string[] = [];
  const port = await listen(
    createServer((socket) => {
      socket.on("error", () => {});
      socket.write(greeting);
      socket.on("data", (bytes) => {
        for (const line of bytes.toString().split("\r\n").filter(Boolean)) {
          lines.push(line);
          const answer = respond(line, socket);
          if (answer !== undefined) socket.write(`${answer}\r\n`);
        }
      });
      afterwards(() => socket.destroy());
    }),
  );
  return { port, lines };
}

describe("delivery", () => {
  test.each([
    ["STARTTLS", false],
    ["TLS from the start", true],
  ])("a message arrives whole over %s, from the user of SMTP_URL", async (_, isSecure) => {
    const server = await startMailServer({ secure: isSecure });
    await send(server.port, { isSecure, login });
    expect(server.deliveries).toEqual([
      {
        from: "octavo@example.com",
        to: [mail.to],
        message: message.replaceAll("\n", "\r\n"),
        isSecure: true,
        user: "docs",
      },
    ]);
    for (const line of server.deliveries[0]!.message.split("\r\n")) expect(line.length).toBeLessThanOrEqual(76);
  });

  test("a server without TLS and without a login receives messages, as a relay of a private network does", async () => {
    const server = await startMailServer({ hideSTARTTLS: true, disabledCommands: ["STARTTLS", "AUTH"] });
    await send(server.port);
    expect(server.deliveries).toMatchObject([{ isSecure: false, user: undefined }]);
  });

  test("many messages at once use four connections at most", async () => {
    const server = await startMailServer();
    const smtp = { host: "127.0.0.1", port: server.port, isSecure: false, login };
    const sendMessage = await createSmtpSender(smtp, { ca: CERTIFICATE });
    await Promise.all(
      Array.from({ length: 12 }, (_, i) => sendMessage("octavo@example.com", `${i}@example.com`, message)),
    );
    expect(server.deliveries.flatMap(({ to }) => to).sort()).toEqual(
      Array.from({ length: 12 }, (_, i) => `${i}@example.com`).sort(),
    );
    expect(server.open.most).toBeGreaterThan(1);
    expect(server.open.most).toBeLessThanOrEqual(4);
  });

  test("an invite that the server refuses for now is sent again, and once accepted, not any more", async () => {
    let isBusy = true;
    const server = await startMailServer({
      onMailFrom(_address, _session, done) {
        done(isBusy ? Object.assign(new Error("greylisted"), { responseCode: 451 }) : null);
      },
    });
    const sendMessage = await createSmtpSender(
      { host: "127.0.0.1", port: server.port, isSecure: false, login },
      { ca: CERTIFICATE },
    );
    const failures: unknown[] = [];
    const { api, ask, org, clock } = await setUp(memoryStorage(), {
      async sendMail(it) {
        await sendMessage("octavo@example.com", it.to, formatMessage(it, "octavo@example.com")).catch((error) => {
          failures.push(error);
          throw error;
        });
      },
      onError() {},
    });
    expect((await ask("admin", `POST /v1/orgs/${org}/invites`, { emails: ["new@example.com"] })).status).toBe(200);
    await until(() => expect(failures).toHaveLength(1));
    expect(server.deliveries).toEqual([]);
    isBusy = false;
    for (let i = 0; i < 3; i++) {
      clock.forward(2 * MINUTE);
      await api.maintain();
    }
    expect(server.deliveries).toMatchObject([{ to: ["new@example.com"], isSecure: true }]);
  });
});

describe("protection", () => {
  test("a password is not sent without TLS, except to this machine", async () => {
    const server = await startMailServer({
      hideSTARTTLS: true,
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
    });
    // Another name of this machine, which is not known to be local.
    await expect(send(server.port, { host: "0.0.0.0", login })).rejects.toThrow(/did not accept an email: .*STARTTLS/);
    expect([server.logins, server.deliveries]).toEqual([[], []]);
    await send(server.port, { login });
    expect(server.logins).toEqual(["docs"]);
  });

  test("nothing is sent when the STARTTLS that a server offers fails, or its certificate is not trusted", async () => {
    const failing = await startScript("220 hello\r\n", (line) =>
      line.startsWith("EHLO") ? "250-hello\r\n250 STARTTLS" : "454 TLS is not available",
    );
    await expect(send(failing.port)).rejects.toThrow("454 TLS is not available");
    expect(failing.lines.map((line) => line.split(" ")[0])).toEqual(["EHLO", "STARTTLS"]);
    const strange = await startMailServer();
    await expect(send(strange.port, { login }, { ca: undefined })).rejects.toThrow("self-signed certificate");
    expect([strange.logins, strange.deliveries]).toEqual([[], []]);
  });

  test("a recipient cannot add a command, and a name or a subject cannot add a header", async () => {
    const server = await startMailServer();
    const smtp = { host: "127.0.0.1", port: server.port, isSecure: false, login: undefined };
    const sendMessage = await createSmtpSender(smtp, { ca: CERTIFICATE });
    const recipients = [
      "a@example.com>\r\nRCPT TO:<evil@example.com",
      "a@example.com\nBcc: evil@example.com",
      "a@example.com, evil@example.com",
    ];
    for (const to of recipients)
      await expect(sendMessage("octavo@example.com", to, message), to).rejects.toThrow("is not an email address");
    expect(server.open.most).toBe(0);
    await sendMessage("octavo@example.com", "a@example.com,evil@example.com", message).catch(() => {});
    expect(server.deliveries.flatMap(({ to }) => to)).not.toContain("evil@example.com");
    const subject = formatMessage({ ...mail, subject: "Hello\r\nBcc: evil@example.com" }, "octavo@example.com");
    await sendMessage("octavo@example.com", "a@example.com", subject);
    expect(server.deliveries.at(-1)).toMatchObject({ to: ["a@example.com"] });
    expect(server.deliveries.at(-1)!.message).not.toMatch(/^Bcc:/m);
  });

  test("a refusal is reported with the reason of the server, without control characters and without the password", async () => {
    const refusing = await startScript("220 hello\r\n", (line) =>
      line.startsWith("RCPT") ? `550 no such user \u001b[31m${"x".repeat(1000)}` : "250 fine",
    );
    const refused = await send(refusing.port).catch((error: Error) => error.message);
    expect(refused).toContain(`The mail server 127.0.0.1:${refusing.port} did not accept an email: `);
    expect(refused).toContain("550 no such user \ufffd[31m");
    expect(refused!.length).toBeLessThan(400);
    const server = await startMailServer();
    const wrong = await send(server.port, { login: { user: "docs", pass: "another-password" } }).catch(
      (error: Error) => error.message,
    );
    expect(wrong).toMatch(/: It refused the user name or the password of SMTP_URL \(535\)\.$/);
  });

  test.each([
    ["never greets", "", () => undefined],
    ["stops answering", "220 hello\r\n", () => undefined],
    [
      "answers without an end",
      "220 hello\r\n",
      (_: string, socket: Socket) => {
        const timer = setInterval(() => socket.write("250-more\r\n"), 5);
        socket.once("close", () => clearInterval(timer));
        return undefined;
      },
    ],
  ])("a server that %s is left when the time is over", async (_, greeting, respond) => {
    const { port } = await startScript(greeting, respond);
    await expect(send(port, {}, { timeoutMs: 100 })).rejects.toThrow("It took more than 0.1 seconds.");
  });
});

describe("settings", () => {
  const read = (value: string) =>
    readSmtpSettings({ text: (name: string) => (name === "smtp-url" ? value : undefined) } as never);

  test("SMTP_URL names the server, the port and the login", () => {
    expect(read("smtp://mail.example.com")).toEqual({
      host: "mail.example.com",
      port: 587,
      isSecure: false,
      login: undefined,
    });
    const password = encodeURIComponent(PASSWORD);
    expect(read(`smtps://docs%40example.com:${password}@mail.example.com/`)).toEqual({
      host: "mail.example.com",
      port: 465,
      isSecure: true,
      login: { user: "docs@example.com", pass: PASSWORD },
    });
    expect(read("smtp://[::1]:25")).toMatchObject({ host: "::1", port: 25 });
  });

  test.each([
    "mail.example.com",
    "https://mail.example.com",
    "smtp://",
    "smtp://docs@mail.example.com",
    "smtp://docs:hidden-password@mail.example.com/path",
    "smtp://docs:hidden-password@mail.example.com?tls.rejectUnauthorized=false",
    "smtp://docs:hidden-password#1@mail.example.com",
    "smtp://docs:hidden-password%@mail.example.com",
    "smtp://docs:hidden-password@mail example.com",
  ])("SMTP_URL %s is refused, and not repeated", (value) => {
    expect(() => read(value)).toThrow(/^SMTP_URL must be smtp:\/\/user:password@host:port or smtps/);
  });

  test("serve refuses two ways to send mails, and a SMTP_URL without the package nodemailer", async () => {
    const SMTP_URL = "smtp://docs:hidden-password@mail.example.com";
    const both = octavo(["serve"], { STORAGE: "memory", SMTP_URL, MAIL_COMMAND: "true" });
    expect([await both.exited, both.output.stderr]).toEqual([
      2,
      "MAIL_COMMAND and SMTP_URL can't be combined: choose one.\n",
    ]);
    const resolve = `export async function resolve(name, context, next) {
      if (name === "nodemailer") throw new Error("Cannot find package 'nodemailer'");
      return next(name, context);
    }`;
    const register = `import { register } from "node:module"; register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(resolve)}`)});`;
    const hidden = ["--import", `data:text/javascript,${encodeURIComponent(register)}`];
    const missing = runCommand(process.execPath, [...hidden, program, "serve"], { STORAGE: "memory", SMTP_URL });
    expect([await missing.exited, missing.output.stderr]).toEqual([
      1,
      "SMTP_URL requires the package nodemailer, which could not be loaded. Run npm install nodemailer.\n",
    ]);
  });

  test("serve sends the mail of a sign-in through SMTP_URL, and prints neither the link nor the password", async () => {
    const mailServer = await startMailServer({ hideSTARTTLS: true, allowInsecureAuth: true });
    const password = encodeURIComponent(PASSWORD);
    const server = await start({
      STORAGE: "memory",
      SMTP_URL: `smtp://docs:${password}@127.0.0.1:${mailServer.port}`,
      MAIL_FROM: "docs@example.com",
    });
    const origin = `http://127.0.0.1:${server.port}`;
    await fetch(`${origin}/sign-in/mail`, {
      method: "POST",
      headers: { origin },
      body: new URLSearchParams({ email: "admin@localhost.localdomain" }),
      redirect: "manual",
    });
    await until(() => expect(mailServer.deliveries).toHaveLength(1));
    expect(mailServer.deliveries).toMatchObject([
      { from: "docs@example.com", to: ["admin@localhost.localdomain"], user: "docs" },
    ]);
    const printed = server.output.stdout + server.output.stderr;
    expect(printed).not.toContain("/sign-in/mail/");
    for (const secret of [PASSWORD, password]) expect(printed).not.toContain(secret);
  });
});
