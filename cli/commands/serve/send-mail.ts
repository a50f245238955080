// How the server sends mails: by a program of the machine that reads a message, as `sendmail -t` does. Without one, a server
// that only this machine reaches prints the links, so that signing in can be tried with nothing.

import { spawn } from "node:child_process";
import { once } from "node:events";
import type { DocsApiOptions } from "octavo";
import type { ServerSettings } from "./server-settings";

type SendMail = NonNullable<DocsApiOptions["sendMail"]>;
type Mail = Parameters<SendMail>[0];

/** Whether the links of mails are printed: no program sends them, and only this machine reaches the server. */
export function printsMails({ mailCommand, host }: Pick<ServerSettings, "mailCommand" | "host">): boolean {
  return !mailCommand && ["127.0.0.1", "::1", "localhost"].includes(host);
}

/** The option of the API; none where nobody sends mails. */
export function mailing(settings: ServerSettings, print: (line: string) => void): { sendMail?: SendMail } {
  const { mailCommand, mailFrom } = settings;
  if (mailCommand) return { sendMail: (mail) => handOver(mailCommand, messageOf(mail, mailFrom)) };
  if (!printsMails(settings)) return {};
  return {
    sendMail: ({ to, subject, text }) => {
      const told = text.split("\n").filter((line) => /^https?:/.test(line) || /^[0-9A-Z]{4}-[0-9A-Z]{4}$/.test(line));
      print(`Mail to ${to}: ${subject}\n${told.map((line) => `  ${line}`).join("\n")}`);
    },
  };
}

/** Runs the program. What it says of itself is told when it fails. */
async function handOver([program, ...args]: readonly [string, ...string[]], message: string): Promise<void> {
  const child = spawn(program, args, { stdio: ["pipe", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-2000);
  });
  child.stdin.on("error", () => {});
  child.stdin.end(message);
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${program} did not send a mail (${code ?? "it was killed"}): ${said.trim()}`);
}

/** A mail as a message of the internet: both forms of its text, in base64, so that no line is too long. */
export function messageOf({ to, subject, text, html }: Mail, from: string): string {
  const boundary = "=_octavo";
  const part = (type: string, body: string) =>
    [
      `--${boundary}`,
      `Content-Type: ${type}; charset=utf-8`,
      "Content-Transfer-Encoding: base64",
      "",
      inBase64(body, 76).join("\n"),
      "",
    ].join("\n");
  return [
    `From: ${from}`,
    `To: <${to.replace(/[\r\n<>]/g, "")}>`,
    `Subject: ${encodedWords(subject)}`,
    "Auto-Submitted: auto-generated",
    "MIME-Version: 1.0",
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    "",
    `${part("text/plain", text)}${part("text/html", html)}--${boundary}--`,
    "",
  ].join("\n");
}

function inBase64(text: string, width: number): string[] {
  return (
    Buffer.from(text)
      .toString("base64")
      .match(new RegExp(`.{1,${width}}`, "g")) ?? []
  );
}

/** A text in a header. A word of it holds whole characters. */
function encodedWords(text: string): string {
  const pieces = [...text].reduce<string[]>(
    (words, character) => {
      const longer = words.at(-1)! + character;
      if (Buffer.byteLength(longer) <= 39) words[words.length - 1] = longer;
      else words.push(character);
      return words;
    },
    [""],
  );
  return pieces.map((piece) => `=?utf-8?B?${Buffer.from(piece).toString("base64")}?=`).join("\n ");
}
