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
import { beginSession, enter } from "../begin-session";
import { button, field, form, linkButton, problem } from "../pages/blocks";
import { fieldsOf, pathWithin } from "../pages/forms";
import { linkEndedPage } from "../pages/link-ended";
import { getRequestLanguage, seeOther, show } from "../pages/page";
import { wordsIn } from "../pages/words";
import type { SignInContext, SignInRequest, SignInRoute } from "../parts";
import { signInPage } from "../welcome";
import { joinByDomain, mayComeIn, singleSignOnOf, userOf } from "./admission";
import { newCode, shownCode, typedCode } from "./codes";

const loadMails = loadLazily(() => import("../../mail/mails"));

/** Mails to one address, and requests from one network, within a quarter of an hour. */
const TO_ONE_ADDRESS = 5;
const FROM_ONE_CALLER = 20;
/** Where the host does not tell where requests come from, all of them count together. */
const FROM_ALL_CALLERS = 500;
const MINUTES = 15;

export const email: SignInRoute = (house) => {
  if (!house.kernel.jobs.ports.sendMail) return [];
  const cookie = browserCookie(house.origin);
  const desk: Desk = { house, cookie };
  return [
    { method: "POST", path: "/sign-in/mail", answer: (request) => ask(desk, request) },
    { method: "GET", path: "/sign-in/mail", answer: (request) => sentPage(desk, request) },
    { method: "GET", path: "/sign-in/mail/:secret", answer: (request) => openedLink(desk, request) },
    { method: "POST", path: "/sign-in/code", answer: (request) => use(desk, request) },
  ];
};

interface Desk {
  readonly house: SignInContext;
  readonly cookie: ReturnType<typeof browserCookie>;
}

/** The cookie by which the browser that asked is known again. */
function browserCookie(origin: string) {
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
async function ask({ house, cookie }: Desk, request: SignInRequest): Promise<PlainResponse> {
  const { store, secrets } = house.kernel;
  const fields = await fieldsOf(request);
  const to = pathWithin(house.origin, fields.get("to"));
  const typed = fields.get("email")?.trim() ?? "";
  if (!v.is(Email, typed)) {
    const wrong = wordsIn(getRequestLanguage(request)).emailWrong;
    return show(house, request, { ...(await signInPage(house, request, { to, email: typed, wrong })), status: 400 });
  }
  const [browser, secret] = [generateRandomText(store.random, 32), generateRandomText(store.random, 32)];
  const code = newCode(store.random);
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
  afterwards(house, () => send(house, { record, secret, code, language: getRequestLanguage(request) }));
  return seeOther(house, house.urlOf("/sign-in/mail"), [cookie.set(browser)]);
}

interface Outgoing {
  readonly record: MailCodeRecord;
  readonly secret: string;
  readonly code: string;
  readonly language: Language;
}

/**
 * Sends the mail, if the address may come in. Nobody waits for this. It goes to the address as it is known, and not as it was
 * typed: letters that are compared as equal may be another mailbox.
 */
async function send(house: SignInContext, { record, secret, code, language }: Outgoing): Promise<void> {
  const { store, jobs: work } = house.kernel;
  const directory = await store.read(DIRECTORY);
  if (!(await mayComeIn(house, directory, record.email, record.to))) return;
  const known = await users.find(directory, "email", foldText(record.email));
  const { renderSignInMail } = await loadMails();
  await work.ports.sendMail!(
    renderSignInMail({
      to: known?.email ?? foldText(record.email),
      language,
      host: parseUrl(house.origin).host,
      link: house.urlOf(`/sign-in/mail/${secret}`),
      code: shownCode(code),
      singleSignOn: known ? await singleSignOnOf(house, directory, known.id) : [],
    }),
  );
}

/** The open request of the browser that asks. */
async function requestOf({ house, cookie }: Desk, request: SignInRequest): Promise<MailCodeRecord | undefined> {
  const { store } = house.kernel;
  const value = cookie.valueIn(request);
  const found =
    value === undefined ? undefined : await mailCodes.get(await store.read(DIRECTORY), hashFingerprint(value));
  return found && isOpen(found, store.now()) ? found : undefined;
}

function isOpen({ endsAt, tries }: MailCodeRecord, now: Date): boolean {
  return endsAt > now.toISOString() && tries < MAX_MAIL_CODE_ATTEMPTS;
}

/** What somebody sees who has asked: the same for every address. `wrong` is what is wrong with a code. */
async function sentPage(desk: Desk, request: SignInRequest, wrong?: string): Promise<PlainResponse> {
  const { house } = desk;
  const found = await requestOf(desk, request);
  if (!found) return seeOther(house, house.urlOf("/sign-in"));
  const words = wordsIn(getRequestLanguage(request));
  const again = `${house.urlOf("/sign-in")}${found.to === null ? "" : `?to=${encodeURIComponent(found.to)}`}`;
  const code = field({
    name: "code",
    label: words.code,
    wrong,
    autocomplete: "one-time-code",
    isCode: true,
    maxLength: 20,
  });
  return show(house, request, {
    title: words.checkMail,
    status: wrong === undefined ? 200 : 400,
    main: html`<p>${words.mailSent(found.email)}</p>
${form(house.urlOf("/sign-in/code"), [code, button(words.signIn)])}
<p class="quiet">${words.mailMissing}</p>
${linkButton(again, words.otherAddress, { isSecond: true })}`,
  });
}

/** The link of a mail: a button in the browser that asked, and nothing anywhere else. Programs that look at the links of
 * mails use nothing up. */
async function openedLink(desk: Desk, request: SignInRequest): Promise<PlainResponse> {
  const { house } = desk;
  const words = wordsIn(getRequestLanguage(request));
  const secret = request.params.secret!;
  const found = await requestOf(desk, request);
  if (found && isEqualInConstantTime(found.link, hashFingerprint(secret)))
    return show(house, request, {
      title: words.signIn,
      main: html`<p>${words.aboutToSignIn(found.email)}</p>${form(house.urlOf("/sign-in/code"), button(words.signIn), { secret })}`,
    });
  if (found || desk.cookie.valueIn(request) !== undefined) return linkEndedPage(house, request);
  return show(house, request, { title: words.elsewhere, main: html`<p>${words.elsewhereWhy}</p>` });
}

/** Signs in with the link or the code of a mail. */
async function use(desk: Desk, request: SignInRequest): Promise<PlainResponse> {
  const { house, cookie } = desk;
  const { store } = house.kernel;
  const fields = await fieldsOf(request);
  const browser = cookie.valueIn(request);
  const tried = browser === undefined ? undefined : await countTry(desk, browser);
  if (browser === undefined || !tried) return linkEndedPage(house, request, [cookie.cleared]);
  if (!isRight(house, tried, browser, fields)) {
    noteFailure(desk, request, tried.email);
    if (tried.tries >= MAX_MAIL_CODE_ATTEMPTS) return linkEndedPage(house, request, [cookie.cleared]);
    return sentPage(desk, request, wordsIn(getRequestLanguage(request)).codeWrong);
  }
  const isLetIn = await mayComeIn(house, await store.read(DIRECTORY), tried.email, tried.to);
  const begun = await store.write(DIRECTORY, async (tx) => {
    const found = await mailCodes.get(tx, tried.browser);
    if (!found) return undefined;
    await mailCodes.delete(tx, found.browser);
    if (!isLetIn) return "not let in";
    const user = await userOf(tx, house, found.email);
    const { setCookie } = await beginSession(tx, house, request, { user: user.id, by: "email" });
    return { user, setCookie };
  });
  if (!begun) return linkEndedPage(house, request, [cookie.cleared]);
  if (begun === "not let in") return unknownPage(desk, request);
  if (begun.user.isNew) await joinByDomain(house, begun.user);
  return enter(house, begun.setCookie, tried.to, [cookie.cleared]);
}

/** Counts an attempt before it is looked at, so that many at once are not more. Undefined: there is no open request. */
async function countTry({ house }: Desk, browser: string): Promise<MailCodeRecord | undefined> {
  const { store } = house.kernel;
  return store.write(DIRECTORY, async (tx) => {
    const found = await mailCodes.get(tx, hashFingerprint(browser));
    if (!found || !isOpen(found, store.now())) return undefined;
    const tried = { ...found, tries: found.tries + 1 };
    await mailCodes.put(tx, tried);
    return tried;
  });
}

/** Notes a wrong code in the log of whoever has the address. The answer does not wait: it would tell that somebody has it. */
function noteFailure({ house }: Desk, { address, headers }: SignInRequest, email: string): void {
  const { store, jobs: work } = house.kernel;
  const userAgent = headers.get("user-agent") ?? undefined;
  afterwards(house, () =>
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
function afterwards({ kernel }: SignInContext, act: () => Promise<unknown>): void {
  const { waitUntil, onError } = kernel.jobs;
  const done = pauseUntilNextTurn().then(act).catch(onError);
  waitUntil?.(done);
}

/** Whether what was sent is the secret of the link, or the code of the mail. */
function isRight({ kernel }: SignInContext, found: MailCodeRecord, browser: string, fields: URLSearchParams): boolean {
  const [secret, code] = [fields.get("secret"), fields.get("code")];
  if (secret !== null) return isEqualInConstantTime(found.link, hashFingerprint(secret));
  return kernel.secrets.isDigest("sign-in", `code ${browser} ${typedCode(code ?? "")}`, found.code);
}

/** For somebody who has proved their address, and may not come in: the invite has ended meanwhile. */
function unknownPage({ house, cookie }: Desk, request: SignInRequest): PlainResponse {
  const words = wordsIn(getRequestLanguage(request));
  return show(house, request, {
    title: words.unknown,
    status: 403,
    cookies: [cookie.cleared],
    main: problem(words.unknownWhy),
  });
}
