// The mails that are sent, as plain text and as simple HTML. They load when the first one is sent.

import { getLanguageTag, getTextDirection, type Language } from "../locales/languages";
import type { Mail } from "../ports/mailer";
import { html, type Markup } from "../utils/html";
import { mailMessages } from "./messages";

/** A line of a mail: a sentence, a link that stands alone, or a code. */
type Line = string | { readonly link: string } | { readonly code: string };

/** The mail that signs somebody in. */
export function renderSignInMail(it: {
  readonly to: string;
  readonly language: Language;
  /** The host of this server, as people know it. */
  readonly host: string;
  readonly link: string;
  readonly code: string;
  /** Organizations that the person gets into by their single sign-on alone. */
  readonly singleSignOn: readonly { readonly organization: string; readonly link: string }[];
}): Mail {
  const words = mailMessages[it.language];
  return written(it.to, it.language, words.signIn(it.host), [
    words.openLink,
    { link: it.link },
    words.typeCode,
    { code: it.code },
    words.once,
    ...it.singleSignOn.flatMap(({ organization, link }) => [words.singleSignOn(oneLine(organization)), { link }]),
    words.notYou,
  ]);
}

/** The mail that invites somebody. */
export function renderInviteMail(it: {
  readonly to: string;
  readonly language: Language;
  readonly organization: string;
  /** Who invites. */
  readonly by: string;
  readonly link: string;
  readonly until: Date;
}): Mail {
  const words = mailMessages[it.language];
  const organization = oneLine(it.organization);
  const date = it.until.toLocaleDateString(getLanguageTag(it.language), { dateStyle: "long", timeZone: "UTC" });
  return written(it.to, it.language, words.invited(organization), [
    words.invitedBy(oneLine(it.by), organization),
    words.accept,
    { link: it.link },
    words.until(date),
    words.notExpected,
  ]);
}

/** What somebody chose as a name, made harmless: it cannot begin a line of its own, nor be a link where mail programs make some. */
function oneLine(name: string): string {
  return name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/:\/\//g, ": //")
    .replace(/(\p{L}|\p{N})\.(?=\p{L})/gu, "$1\u2024")
    .slice(0, 100);
}

function written(to: string, language: Language, subject: string, lines: readonly Line[]): Mail {
  const text = lines.map((line) => (typeof line === "string" ? line : "link" in line ? line.link : line.code));
  const { text: markup } = html`<html lang="${getLanguageTag(language)}" dir="${getTextDirection(language)}">
<head><meta charset="utf-8"><title>${subject}</title></head>
<body style="font: 16px/1.6 system-ui, sans-serif; max-width: 36em; margin: 0 auto; padding: 1em">
${lines.map(paragraph)}</body>
</html>`;
  return { to, subject, text: `${text.join("\n\n")}\n`, html: `<!doctype html>\n${markup}\n` };
}

function paragraph(line: Line): Markup {
  if (typeof line === "string") return html`<p>${line}</p>\n`;
  if ("code" in line) return html`<p style="font: 24px monospace; letter-spacing: 2px" dir="ltr">${line.code}</p>\n`;
  return html`<p dir="ltr"><a href="${line.link}">${line.link}</a></p>\n`;
}
