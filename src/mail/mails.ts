// Renders mails as plain text and as simple HTML. The module is loaded when the first mail is sent.

import { formatDay, formatMessage } from "../locales/format-message";
import { getLanguageTag, getTextDirection, type Language } from "../locales/languages";
import { loadMessages } from "../locales/messages";
import type { Mail } from "../ports/mailer";
import { html, type Markup } from "../utils/html";

/** A paragraph of a mail: a sentence, a link, or a code. */
type MailParagraph = string | { readonly link: string } | { readonly code: string };

/** Renders the mail with which a person signs in. */
export async function renderSignInMail(options: {
  readonly to: string;
  readonly language: Language;
  /** The public host name of this server. */
  readonly host: string;
  readonly link: string;
  readonly code: string;
  /** Organizations that the person can enter by their single sign-on only. */
  readonly singleSignOn: readonly { readonly organization: string; readonly link: string }[];
}): Promise<Mail> {
  const { to, language, host, link, code, singleSignOn } = options;
  const { mail: messages } = await loadMessages(language);
  const paragraphs: MailParagraph[] = [messages.openLink, { link }, messages.typeCode, { code }, messages.once];
  for (const provider of singleSignOn)
    paragraphs.push(formatMessage(messages.singleSignOn, { organization: sanitizeName(provider.organization) }), {
      link: provider.link,
    });
  paragraphs.push(messages.notYou);
  return renderMail(to, language, formatMessage(messages.signIn, { host }), paragraphs);
}

/** Renders the mail that invites a person to an organization. */
export async function renderInviteMail(options: {
  readonly to: string;
  readonly language: Language;
  readonly organization: string;
  /** The display name of the person who invites. */
  readonly by: string;
  readonly link: string;
  readonly until: Date;
}): Promise<Mail> {
  const { to, language, by, link, until } = options;
  const { mail: messages } = await loadMessages(language);
  const organization = sanitizeName(options.organization);
  const date = formatDay(language, until.toISOString());
  return renderMail(to, language, formatMessage(messages.invited, { organization }), [
    formatMessage(messages.invitedBy, { name: sanitizeName(by), organization }),
    messages.accept,
    { link },
    formatMessage(messages.until, { date }),
    messages.notExpected,
  ]);
}

/** Makes a name that a user chose harmless: it can neither begin a line nor become a link in mail programs that detect links. */
function sanitizeName(name: string): string {
  return name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/:\/\//g, ": //")
    .replace(/(\p{L}|\p{N})\.(?=\p{L})/gu, "$1\u2024")
    .slice(0, 100);
}

function renderMail(to: string, language: Language, subject: string, paragraphs: readonly MailParagraph[]): Mail {
  const lines: string[] = [];
  const htmlParagraphs: Markup[] = [];
  for (const paragraph of paragraphs) {
    if (typeof paragraph === "string") {
      lines.push(paragraph);
      htmlParagraphs.push(html`<p>${paragraph}</p>\n`);
    } else if ("code" in paragraph) {
      lines.push(paragraph.code);
      htmlParagraphs.push(html`<p style="font: 24px monospace; letter-spacing: 2px" dir="ltr">${paragraph.code}</p>\n`);
    } else {
      lines.push(paragraph.link);
      htmlParagraphs.push(html`<p dir="ltr"><a href="${paragraph.link}">${paragraph.link}</a></p>\n`);
    }
  }
  const { text: markup } = html`<html lang="${getLanguageTag(language)}" dir="${getTextDirection(language)}">
<head><meta charset="utf-8"><title>${subject}</title></head>
<body style="font: 16px/1.6 system-ui, sans-serif; max-width: 36em; margin: 0 auto; padding: 1em">
${htmlParagraphs}</body>
</html>`;
  return { to, subject, text: `${lines.join("\n\n")}\n`, html: `<!doctype html>\n${markup}\n` };
}
