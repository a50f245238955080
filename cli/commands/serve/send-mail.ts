// Sends mails with a program that reads a message, such as `sendmail -t`. Without one, a server that only this machine reaches
// prints the links, so that signing in works without any setup.

import { spawn } from "node:child_process";
import { once } from "node:events";
import type { DocsApiOptions } from "octavo";
import type { ServerSettings } from "./server-settings";

type OutgoingMail = Parameters<NonNullable<DocsApiOptions["sendMail"]>>[0];

/** Returns true if the links of mails are printed: no program sends them, and only this machine reaches the server. */
export function shouldPrintMails({ mailCommand, host }: Pick<ServerSettings, "mailCommand" | "host">): boolean {
  return !mailCommand && ["127.0.0.1", "::1", "localhost"].includes(host);
}

/** Returns the option of the API that sends mails, or nothing if mails are not sent. */
export function createMailOptions(
  settings: ServerSettings,
  print: (line: string) => void,
): Pick<DocsApiOptions, "sendMail"> {
  const { mailCommand, mailFrom } = settings;
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
  if (!shouldPrintMails(settings)) return {};
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
    "Auto-Submitted: auto-generated",
    "MIME-Version: 1.0",
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    "",
    `${renderPart("text/plain", text)}${renderPart("text/html", html)}--${boundary}--`,
    "",
  ].join("\n");
}
