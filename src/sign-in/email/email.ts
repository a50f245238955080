// Signing in by mail. A request belongs to the browser that made it: its link and its code work nowhere else. Every address
// gets the same answer in the same time, because only afterwards somebody looks whether it is known.

import * as v from "valibot";
import { getCookie, serializeCookie } from "../../http/cookies";
import type { PlainResponse } from "../../http/plain-request";
import { getAddressKey } from "../../http/rate-limit";
import type { Language } from "../../locales/languages";
import { Email, foldText } from "../../operation/common-schemas";
import { recordUserAuditEvent } from "../../resources/people/audit/record-event";
import { countAttempt } from "../../resources/people/sessions/attempt-limits";
import {
  MAIL_CODE_MINUTES,
  MAX_MAIL_CODE_ATTEMPTS,
  type MailCodeRecord,
  mailCodes,
} from "../../resources/people/sessions/mail-codes";
import { users } from "../../resources/people/users/records";
import { DIRECTORY, generateRandomText } from "../../storage/ids";
import { hashFingerprint, isEqualInConstantTime, toBase64url } from "../../storage/secrets";
import { pauseUntilNextTurn } from "../../utils/concurrency/event-loop";
import { html } from "../../utils/html";
import { loadLazily } from "../../utils/lazy";
import { parseUrl } from "../../utils/url";
import { beginSession, redirectAfterSignIn } from "../begin-session";
import type { SignInContext, SignInRequest, SignInRouteFactory } from "../context";
import { renderButton, renderErrorMessage, renderForm, renderFormField, renderLinkButton } from "../pages/blocks";
import { showLinkEndedPage } from "../pages/error-pages";
import { readFormFields, toLocalPath } from "../pages/forms";
import { getPageMessages } from "../pages/messages";
import { createRedirect, getRequestLanguage, showPage } from "../pages/page";
import { renderSignInPage } from "../sign-in-page";
import { canSignIn, findOrCreateUser, joinOrganizationsByDomain, listSingleSignOnLinks } from "./admission";
import { formatMailCode, generateMailCode, normalizeMailCode } from "./codes";

const loadMails = loadLazily(() => import("../../mail/mails"));

/** Mails to one address, and requests from one network, within a quarter of an hour. */
const TO_ONE_ADDRESS = 5;
const FROM_ONE_CALLER = 20;
/** Where the host does not tell where requests come from, all of them count together. */
const FROM_ALL_CALLERS = 500;
const MINUTES = 15;

export const createEmailRoutes: SignInRouteFactory = (context) => {
  if (!context.kernel.jobs.ports.sendMail) return [];
  const cookie = createBrowserCookie(context.origin);
  const desk: EmailSignIn = { context, cookie };
  return [
    { method: "POST", path: "/sign-in/mail", handle: (request) => requestMail(desk, request) },
    { method: "GET", path: "/sign-in/mail", handle: (request) => showMailSentPage(desk, request) },
    { method: "GET", path: "/sign-in/mail/:secret", handle: (request) => openMailLink(desk, request) },
    { method: "POST", path: "/sign-in/code", handle: (request) => signInByMail(desk, request) },
  ];
};

interface EmailSignIn {
  readonly context: SignInContext;
  readonly cookie: ReturnType<typeof createBrowserCookie>;
}

/** The cookie by which the browser that asked is known again. */
function createBrowserCookie(origin: string) {
  const isSecure = origin.startsWith("https:");
  const name = isSecure ? "__Host-octavo-mail" : "octavo-mail";
  const options = { isSecure, path: "/" };
  return {
    valueIn: ({ headers }: SignInRequest) => getCookie(headers.get("cookie"), name)?.match(/^[0-9a-z]{32}$/)?.[0],
    set: (value: string) => serializeCookie(name, value, { ...options, maxAge: MAIL_CODE_MINUTES * 60 }),
    cleared: serializeCookie(name, "", { ...options, maxAge: 0 }),
  };
}

/** Takes a request, and answers before it is known whose address it is. */
async function requestMail({ context, cookie }: EmailSignIn, request: SignInRequest): Promise<PlainResponse> {
  const { store, secrets } = context.kernel;
  const fields = await readFormFields(request);
  const to = toLocalPath(context.origin, fields.get("to"));
  const typed = fields.get("email")?.trim() ?? "";
  if (!v.is(Email, typed)) {
    const error = getPageMessages(getRequestLanguage(request)).emailWrong;
    return showPage(context, request, {
      ...(await renderSignInPage(context, request, { to, email: typed, error })),
      status: 400,
    });
  }
  const [browser, secret] = [generateRandomText(store.random, 32), generateRandomText(store.random, 32)];
  const code = generateMailCode(store.random);
  const record: MailCodeRecord = {
    browser: hashFingerprint(browser),
    email: typed,
    link: hashFingerprint(secret),
    code: toBase64url(secrets.digest("sign-in", `code ${browser} ${code}`)),
    tries: 0,
    to: to ?? null,
    endsAt: new Date(store.now().getTime() + MAIL_CODE_MINUTES * 60_000).toISOString(),
  };
  await store.write(DIRECTORY, async (tx) => {
    await countAttempt(tx, secrets, store.now(), [
      {
        subject: ["mail from", getAddressKey(request.address)],
        maxAttempts: request.address === undefined ? FROM_ALL_CALLERS : FROM_ONE_CALLER,
        periodMinutes: MINUTES,
      },
      { subject: ["mail to", foldText(typed)], maxAttempts: TO_ONE_ADDRESS, periodMinutes: MINUTES },
    ]);
    await mailCodes.put(tx, record);
  });
  runAfterResponse(context, () =>
    sendSignInMail(context, { record, secret, code, language: getRequestLanguage(request) }),
  );
  return createRedirect(context, context.getUrl("/sign-in/mail"), [cookie.set(browser)]);
}

interface SignInMail {
  readonly record: MailCodeRecord;
  readonly secret: string;
  readonly code: string;
  readonly language: Language;
}

/**
 * Sends the mail, if the address may come in. Nobody waits for this. It goes to the address as it is known, and not as it was
 * typed: letters that are compared as equal may be another mailbox.
 */
async function sendSignInMail(context: SignInContext, { record, secret, code, language }: SignInMail): Promise<void> {
  const { store, jobs: work } = context.kernel;
  const directory = await store.read(DIRECTORY);
  if (!(await canSignIn(context, directory, record.email, record.to))) return;
  const known = await users.find(directory, "email", foldText(record.email));
  const { renderSignInMail } = await loadMails();
  await work.ports.sendMail!(
    renderSignInMail({
      to: known?.email ?? foldText(record.email),
      language,
      host: parseUrl(context.origin).host,
      link: context.getUrl(`/sign-in/mail/${secret}`),
      code: formatMailCode(code),
      singleSignOn: known ? await listSingleSignOnLinks(context, directory, known.id) : [],
    }),
  );
}

/** The open request of the browser that asks. */
async function findOpenRequest(
  { context, cookie }: EmailSignIn,
  request: SignInRequest,
): Promise<MailCodeRecord | undefined> {
  const { store } = context.kernel;
  const value = cookie.valueIn(request);
  const found =
    value === undefined ? undefined : await mailCodes.get(await store.read(DIRECTORY), hashFingerprint(value));
  return found && isOpenRequest(found, store.now()) ? found : undefined;
}

function isOpenRequest({ endsAt, tries }: MailCodeRecord, now: Date): boolean {
  return endsAt > now.toISOString() && tries < MAX_MAIL_CODE_ATTEMPTS;
}

/** What somebody sees who has asked: the same for every address. `wrong` is what is wrong with a code. */
async function showMailSentPage(desk: EmailSignIn, request: SignInRequest, wrong?: string): Promise<PlainResponse> {
  const { context } = desk;
  const found = await findOpenRequest(desk, request);
  if (!found) return createRedirect(context, context.getUrl("/sign-in"));
  const messages = getPageMessages(getRequestLanguage(request));
  const again = `${context.getUrl("/sign-in")}${found.to === null ? "" : `?to=${encodeURIComponent(found.to)}`}`;
  const code = renderFormField({
    name: "code",
    label: messages.code,
    error: wrong,
    autocomplete: "one-time-code",
    isCode: true,
    maxLength: 20,
  });
  return showPage(context, request, {
    title: messages.checkMail,
    status: wrong === undefined ? 200 : 400,
    main: html`<p>${messages.mailSent(found.email)}</p>
${renderForm(context.getUrl("/sign-in/code"), [code, renderButton(messages.signIn)])}
<p class="quiet">${messages.mailMissing}</p>
${renderLinkButton(again, messages.otherAddress, { isSecondary: true })}`,
  });
}

/** The link of a mail: a button in the browser that asked, and nothing anywhere else. Programs that look at the links of
 * mails use nothing up. */
async function openMailLink(desk: EmailSignIn, request: SignInRequest): Promise<PlainResponse> {
  const { context } = desk;
  const messages = getPageMessages(getRequestLanguage(request));
  const secret = request.params.secret!;
  const found = await findOpenRequest(desk, request);
  if (found && isEqualInConstantTime(found.link, hashFingerprint(secret)))
    return showPage(context, request, {
      title: messages.signIn,
      main: html`<p>${messages.aboutToSignIn(found.email)}</p>${renderForm(context.getUrl("/sign-in/code"), renderButton(messages.signIn), { secret })}`,
    });
  if (found || desk.cookie.valueIn(request) !== undefined) return showLinkEndedPage(context, request);
  return showPage(context, request, { title: messages.elsewhere, main: html`<p>${messages.elsewhereWhy}</p>` });
}

/** Signs in with the link or the code of a mail. */
async function signInByMail(desk: EmailSignIn, request: SignInRequest): Promise<PlainResponse> {
  const { context, cookie } = desk;
  const { store } = context.kernel;
  const fields = await readFormFields(request);
  const browser = cookie.valueIn(request);
  const tried = browser === undefined ? undefined : await takeAttempt(desk, browser);
  if (browser === undefined || !tried) return showLinkEndedPage(context, request, [cookie.cleared]);
  if (!isCorrectSecret(context, tried, browser, fields)) {
    recordFailedAttempt(desk, request, tried.email);
    if (tried.tries >= MAX_MAIL_CODE_ATTEMPTS) return showLinkEndedPage(context, request, [cookie.cleared]);
    return showMailSentPage(desk, request, getPageMessages(getRequestLanguage(request)).codeWrong);
  }
  const isLetIn = await canSignIn(context, await store.read(DIRECTORY), tried.email, tried.to);
  const begun = await store.write(DIRECTORY, async (tx) => {
    const found = await mailCodes.get(tx, tried.browser);
    if (!found) return undefined;
    await mailCodes.delete(tx, found.browser);
    if (!isLetIn) return "not let in";
    const user = await findOrCreateUser(tx, context, found.email);
    const { setCookie } = await beginSession(tx, context, request, { user: user.id, by: "email" });
    return { user, setCookie };
  });
  if (!begun) return showLinkEndedPage(context, request, [cookie.cleared]);
  if (begun === "not let in") return showUnknownUserPage(desk, request);
  if (begun.user.isNew) await joinOrganizationsByDomain(context, begun.user);
  return redirectAfterSignIn(context, begun.setCookie, tried.to, [cookie.cleared]);
}

/** Counts an attempt before it is looked at, so that many at once are not more. Undefined: there is no open request. */
async function takeAttempt({ context }: EmailSignIn, browser: string): Promise<MailCodeRecord | undefined> {
  const { store } = context.kernel;
  return store.write(DIRECTORY, async (tx) => {
    const found = await mailCodes.get(tx, hashFingerprint(browser));
    if (!found || !isOpenRequest(found, store.now())) return undefined;
    const tried = { ...found, tries: found.tries + 1 };
    await mailCodes.put(tx, tried);
    return tried;
  });
}

/** Notes a wrong code in the log of whoever has the address. The answer does not wait: it would tell that somebody has it. */
function recordFailedAttempt({ context }: EmailSignIn, { address, headers }: SignInRequest, email: string): void {
  const { store, jobs: work } = context.kernel;
  const userAgent = headers.get("user-agent") ?? undefined;
  runAfterResponse(context, () =>
    store.write(DIRECTORY, async (tx) => {
      const known = await users.find(tx, "email", foldText(email));
      if (!known) return;
      recordUserAuditEvent(work, tx, known.id, {
        action: "signInFailed",
        actor: { type: "visitor" },
        credential: { type: "email" },
        from: { address, userAgent },
        status: 400,
        things: [{ type: "user", id: known.id }],
      });
    }),
  );
}

/** Does something after the answer, so that the answer takes the same time whatever it is. */
function runAfterResponse({ kernel }: SignInContext, act: () => Promise<unknown>): void {
  const { waitUntil, onError } = kernel.jobs;
  const done = pauseUntilNextTurn().then(act).catch(onError);
  waitUntil?.(done);
}

/** Whether what was sent is the secret of the link, or the code of the mail. */
function isCorrectSecret(
  { kernel }: SignInContext,
  found: MailCodeRecord,
  browser: string,
  fields: URLSearchParams,
): boolean {
  const [secret, code] = [fields.get("secret"), fields.get("code")];
  if (secret !== null) return isEqualInConstantTime(found.link, hashFingerprint(secret));
  return kernel.secrets.isDigest("sign-in", `code ${browser} ${normalizeMailCode(code ?? "")}`, found.code);
}

/** For somebody who has proved their address, and may not come in: the invite has ended meanwhile. */
function showUnknownUserPage({ context, cookie }: EmailSignIn, request: SignInRequest): PlainResponse {
  const messages = getPageMessages(getRequestLanguage(request));
  return showPage(context, request, {
    title: messages.unknown,
    status: 403,
    cookies: [cookie.cleared],
    main: renderErrorMessage(messages.unknownWhy),
  });
}
