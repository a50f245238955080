// Sends mails through an SMTP server, or with a program that reads a message, such as `sendmail -t`. Without either, a server that
// only this machine reaches prints the links, so that signing in works without any setup.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { DocsApiOptions } from "octavo";
import type { ServerSettings } from "./server-settings";
import { createSmtpSender } from "./smtp";

type OutgoingMail = Parameters<NonNullable<DocsApiOptions["sendMail"]>>[0];

/** Returns where mails go. They are printed if nothing sends them and only this machine reaches the server. */
export function getMailRoute({
  mailCommand,
  smtp,
  host,
}: Pick<ServerSettings, "mailCommand" | "smtp" | "host">): "sent" | "printed" | "none" {
  if (mailCommand || smtp) return "sent";
  return ["127.0.0.1", "::1", "localhost"].includes(host) ? "printed" : "none";
}

/** Returns the option of the API that sends mails, or nothing if mails are not sent. */
export async function createMailOptions(
  settings: ServerSettings,
  print: (line: string) => void,
): Promise<Pick<DocsApiOptions, "sendMail">> {
  const { mailCommand, mailFrom, smtp } = settings;
  if (smtp) {
    const sendMessage = await createSmtpSender(smtp);
    return { sendMail: (mail) => sendMessage(mailFrom, mail.to, formatMessage(mail, mailFrom)) };
  }
  if (mailCommand) {
    const [program, ...args] = mailCommand;
    return {
      async sendMail(mail) {
        const child = spawn(program, args, { stdio: ["pipe", "ignore", "pipe"] });
        let errorOutput = "";
        child.stderr.setEncoding("utf8").on("data", (text: string) => {
          errorOutput = (errorOutput + text).slice(-2000);
        });
        child.stdin.on("error", () => {});
        child.stdin.end(formatMessage(mail, mailFrom));
        const [code] = (await once(child, "close")) as [number | null];
        if (code !== 0)
          throw new Error(`${program} did not send an email (${code ?? "killed"}): ${errorOutput.trim()}`);
      },
    };
  }
  if (getMailRoute(settings) === "none") return {};
  return {
    sendMail: ({ to, subject, text }) => {
      const links = text.split("\n").filter((line) => /^https?:/.test(line) || /^[0-9A-Z]{4}-[0-9A-Z]{4}$/.test(line));
      print(`Email to ${to}: ${subject}\n${links.map((line) => `  ${line}`).join("\n")}`);
    },
  };
}

/** Formats a mail as a MIME message with both forms of its text, in base64, so that no line is too long. */
export function formatMessage({ to, subject, text, html }: OutgoingMail, from: string): string {
  const boundary = "=_octavo";
  const renderPart = (type: string, body: string) =>
    [
      `--${boundary}`,
      `Content-Type: ${type}; charset=utf-8`,
      "Content-Transfer-Encoding: base64",
      "",
      (
        Buffer.from(body)
          .toString("base64")
          .match(/.{1,76}/g) ?? []
      ).join("\n"),
      "",
    ].join("\n");
  // The subject consists of words of RFC 2047. Each word has whole characters.
  const words = [""];
  for (const character of subject) {
    const longer = words.at(-1)! + character;
    if (Buffer.byteLength(longer) <= 39) words[words.length - 1] = longer;
    else words.push(character);
  }
  const encodedWords = words.map((word) => `=?utf-8?B?${Buffer.from(word).toString("base64")}?=`);
  return [
    `From: ${from}`,
    `To: <${to.replace(/[\r\n<>]/g, "")}>`,
    `Subject: ${encodedWords.join("\n ")}`,
    `Date: ${new Date().toUTCString().replace("GMT", "+0000")}`,
    `Message-ID: <${randomUUID()}@${from.split("@").at(-1)}>`,
    "Auto-Submitted: auto-generated",
    "MIME-Version: 1.0",
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    "",
    `${renderPart("text/plain", text)}${renderPart("text/html", html)}--${boundary}--`,
    "",
  ].join("\n");
}
