// Mails of the server: handed to a program as a message, printed where only this machine reaches the server, or not at all.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createMailOptions, formatMessage } from "../../cli/commands/serve/send-mail";
import type { ServerSettings } from "../../cli/commands/serve/server-settings";
import { temporaryDirectory } from "./temporary";

const mail = {
  to: "grace@example.com",
  subject: "Einladung zu 文档与很长很长的名字 für Grüße und mehr",
  text: "Öffnen Sie diesen Link:\n\nhttp://127.0.0.1:3000/sign-in/mail/abc\n\nABCD-1234\n",
  html: "<p>Öffnen</p>\n",
};
const settings = (some: object) => ({ host: "127.0.0.1", mailFrom: "docs@example.com", ...some }) as ServerSettings;

test("a message has a text part and an HTML part, and a subject that fits in a header", () => {
  const message = formatMessage({ ...mail, to: "a@example.com>\r\nBcc: <evil@example.com" }, "docs@example.com");
  const [head = "", ...parts] = message.split("--=_octavo");
  expect(head).toMatch(/^From: docs@example\.com\nTo: <a@example\.comBcc: evil@example\.com>\nSubject: =\?utf-8\?B\?/);
  for (const line of message.split("\n")) expect(line.length).toBeLessThanOrEqual(76);
  const subject = [...head.matchAll(/=\?utf-8\?B\?(.*?)\?=/g)].map(([, word]) =>
    Buffer.from(word!, "base64").toString(),
  );
  expect(subject.join("")).toBe(mail.subject);
  const texts = parts.slice(0, 2).map((part) => Buffer.from(part.split("\n\n")[1]!, "base64").toString());
  expect(texts).toEqual([mail.text, mail.html]);
});

test("the mail program receives the message, and its failure is reported", async () => {
  const path = join(await temporaryDirectory(), "mail");
  await (await createMailOptions(settings({ mailCommand: ["tee", path] }), () => {})).sendMail!(mail);
  const withoutDate = (message: string) => message.replace(/^(Date|Message-ID): .*\n/gm, "");
  const message = await readFile(path, "utf8");
  expect(withoutDate(message)).toBe(withoutDate(formatMessage(mail, "docs@example.com")));
  expect(message).toMatch(
    /^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000\nMessage-ID: <[0-9a-f-]{36}@example\.com>$/m,
  );
  const broken = await createMailOptions(
    settings({ mailCommand: ["sh", "-c", "echo no route >&2; exit 75"] }),
    () => {},
  );
  await expect(broken.sendMail!(mail)).rejects.toThrow("sh did not send an email (75): no route");
  const missing = await createMailOptions(settings({ mailCommand: ["/nowhere/sendmail"] }), () => {});
  await expect(missing.sendMail!(mail)).rejects.toThrow("ENOENT");
});

test("sign-in links are printed only where no one else reads them", async () => {
  const printed: string[] = [];
  const { sendMail } = await createMailOptions(settings({}), (line) => void printed.push(line));
  await sendMail!(mail);
  expect(printed).toEqual([
    `Email to grace@example.com: ${mail.subject}\n  http://127.0.0.1:3000/sign-in/mail/abc\n  ABCD-1234`,
  ]);
  expect(await createMailOptions(settings({ host: "0.0.0.0" }), () => {})).toEqual({});
});
