// Sign-in by e-mail. A request belongs to the browser that made it: its link and its code work nowhere else. Every address gets
// the same response in the same time, because the address is only looked up after the response.

import * as v from "valibot";
import { getCookie, serializeCookie } from "../../http/cookies";
import type { PlainResponse } from "../../http/plain-request";
import { getAddressKey } from "../../http/rate-limit";
import { formatMessage } from "../../locales/format-message";
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
import { isEqualInConstantTime, toBase64url } from "../../storage/secrets";
import { pauseUntilNextTurn } from "../../utils/concurrency/event-loop";
import { html } from "../../utils/html";
import { loadLazily } from "../../utils/lazy";
import { sha256Hex } from "../../utils/sha256";
import { parseUrl } from "../../utils/url";
import { beginSession, redirectAfterSignIn } from "../begin-session";
import type { SignInContext, SignInRequest, SignInRouteFactory } from "../context";
import { renderButton, renderErrorMessage, renderForm, renderFormField, renderLinkButton } from "../pages/blocks";
import { showLinkEndedPage } from "../pages/error-pages";
import { readFormFields, toLocalPath } from "../pages/forms";
import { createRedirect, showPage } from "../pages/page";
import { renderSignInPage } from "../sign-in-page";
import { canSignIn, findOrCreateUser, joinOrganizationsByDomain, listSingleSignOnLinks } from "./admission";

const loadMails = loadLazily(() => import("../../mail/mails"));

/** The limits of mails in a quarter of an hour: to one address, and from one network. */
const MAX_MAILS_PER_ADDRESS = 5;
const MAX_MAILS_PER_NETWORK = 20;
/** The limit of all requests together if the host doesn't pass the network addresses of requests. */
const MAX_MAILS_FROM_UNKNOWN = 500;
const LIMIT_PERIOD_MINUTES = 15;

/** Eight characters have 40 bits. */
const CODE_LENGTH = 8;

export const createEmailRoutes: SignInRouteFactory = (context) => {
  if (!context.kernel.jobs.ports.sendMail) return [];
  const cookie = createBrowserCookie(context.origin);
  const emailSignIn: EmailSignIn = { context, cookie };
  return [
    { method: "POST", path: "/sign-in/mail", handle: (request) => requestMail(emailSignIn, request) },
    { method: "GET", path: "/sign-in/mail", handle: (request) => showMailSentPage(emailSignIn, request) },
    {
      // Only the browser that requested the mail gets a button, and only pressing it signs in, so that programs that preview links
      // don't use it up.
      method: "GET",
      path: "/sign-in/mail/:secret",
      async handle(request) {
        const messages = request.messages.signIn;
        const secret = request.params.secret!;
        const record = await findOpenRequest(emailSignIn, request);
        if (record && isEqualInConstantTime(record.link, sha256Hex(secret))) {
          const form = renderForm(context.getUrl("/sign-in/code"), renderButton(messages.signIn), { secret });
          return showPage(context, request, {
            title: messages.signIn,
            main: html`<p>${formatMessage(messages.aboutToSignIn, { email: record.email })}</p>${form}`,
          });
        }
        if (record || cookie.getValue(request) !== undefined) return showLinkEndedPage(context, request);
        return showPage(context, request, { title: messages.elsewhere, main: html`<p>${messages.elsewhereWhy}</p>` });
      },
    },
    { method: "POST", path: "/sign-in/code", handle: (request) => signInByMail(emailSignIn, request) },
  ];
};

interface EmailSignIn {
  readonly context: SignInContext;
  readonly cookie: ReturnType<typeof createBrowserCookie>;
}

function createBrowserCookie(origin: string) {
  const isSecure = origin.startsWith("https:");
  const name = isSecure ? "__Host-octavo-mail" : "octavo-mail";
  const options = { isSecure, path: "/" };
  return {
    getValue: ({ headers }: SignInRequest) => getCookie(headers.get("cookie"), name)?.match(/^[0-9a-z]{32}$/)?.[0],
    createHeader: (value: string) => serializeCookie(name, value, { ...options, maxAge: MAIL_CODE_MINUTES * 60 }),
    clearHeader: serializeCookie(name, "", { ...options, maxAge: 0 }),
  };
}

/** Creates a request for an address, and responds before anybody knows whose address it is. */
async function requestMail({ context, cookie }: EmailSignIn, request: SignInRequest): Promise<PlainResponse> {
  const { store, secrets, jobs } = context.kernel;
  const fields = await readFormFields(request);
  const to = toLocalPath(context.origin, fields.get("to"));
  const email = fields.get("email")?.trim() ?? "";
  const { language } = request;
  if (!v.is(Email, email)) {
    const error = request.messages.signIn.emailWrong;
    const page = await renderSignInPage(context, request, { to, email, error });
    return showPage(context, request, { ...page, status: 400 });
  }

  const [browser, secret] = [generateRandomText(store.random, 32), generateRandomText(store.random, 32)];
  const code = generateRandomText(store.random, CODE_LENGTH);
  const record: MailCodeRecord = {
    browser: sha256Hex(browser),
    email,
    link: sha256Hex(secret),
    code: toBase64url(secrets.digest("sign-in", `code ${browser} ${code}`)),
    tries: 0,
    to: to ?? null,
    endsAt: new Date(store.now().getTime() + MAIL_CODE_MINUTES * 60_000).toISOString(),
  };
  await store.write(DIRECTORY, async (tx) => {
    await countAttempt(tx, secrets, store.now(), [
      {
        subject: ["mail from", getAddressKey(request.address)],
        maxAttempts: request.address === undefined ? MAX_MAILS_FROM_UNKNOWN : MAX_MAILS_PER_NETWORK,
        periodMinutes: LIMIT_PERIOD_MINUTES,
      },
      {
        subject: ["mail to", foldText(email)],
        maxAttempts: MAX_MAILS_PER_ADDRESS,
        periodMinutes: LIMIT_PERIOD_MINUTES,
      },
    ]);
    await mailCodes.put(tx, record);
  });

  runAfterResponse(context, async () => {
    const directory = await store.read(DIRECTORY);
    if (!(await canSignIn(context, directory, email, record.to))) return;
    const user = await users.find(directory, "email", foldText(email));
    const { renderSignInMail } = await loadMails();
    await jobs.ports.sendMail!(
      await renderSignInMail({
        // The mail goes to the stored address. A typed one that compares as equal may be another mailbox.
        to: user?.email ?? foldText(email),
        language,
        host: parseUrl(context.origin).host,
        link: context.getUrl(`/sign-in/mail/${secret}`),
        code: `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`.toUpperCase(),
        singleSignOn: user ? await listSingleSignOnLinks(context, directory, user.id) : [],
      }),
    );
  });
  return createRedirect(context, context.getUrl("/sign-in/mail"), [cookie.createHeader(browser)]);
}

async function findOpenRequest(
  { context, cookie }: EmailSignIn,
  request: SignInRequest,
): Promise<MailCodeRecord | undefined> {
  const { store } = context.kernel;
  const browser = cookie.getValue(request);
  if (browser === undefined) return undefined;
  const record = await mailCodes.get(await store.read(DIRECTORY), sha256Hex(browser));
  return record && isOpenRequest(record, store.now()) ? record : undefined;
}

function isOpenRequest({ endsAt, tries }: MailCodeRecord, now: Date): boolean {
  return endsAt > now.toISOString() && tries < MAX_MAIL_CODE_ATTEMPTS;
}

/** Asks for the code. The page is the same for every address. `error` is shown at the field. */
async function showMailSentPage(
  emailSignIn: EmailSignIn,
  request: SignInRequest,
  error?: string,
): Promise<PlainResponse> {
  const { context } = emailSignIn;
  const record = await findOpenRequest(emailSignIn, request);
  if (!record) return createRedirect(context, context.getUrl("/sign-in"));
  const messages = request.messages.signIn;
  const query = record.to === null ? "" : `?to=${encodeURIComponent(record.to)}`;
  const codeField = renderFormField({
    name: "code",
    label: messages.code,
    error,
    autocomplete: "one-time-code",
    isCode: true,
    maxLength: 20,
  });
  return showPage(context, request, {
    title: messages.checkMail,
    status: error === undefined ? 200 : 400,
    main: html`<p>${formatMessage(messages.mailSent, { email: record.email })}</p>
${renderForm(context.getUrl("/sign-in/code"), [codeField, renderButton(messages.signIn)])}
<p class="quiet">${messages.mailMissing}</p>
${renderLinkButton(context.getUrl("/sign-in") + query, messages.otherAddress, { isSecondary: true })}`,
  });
}

/** Signs in with the link or the code of a mail. */
async function signInByMail(emailSignIn: EmailSignIn, request: SignInRequest): Promise<PlainResponse> {
  const { context, cookie } = emailSignIn;
  const { store, secrets, jobs } = context.kernel;
  const fields = await readFormFields(request);
  const messages = request.messages.signIn;
  const browser = cookie.getValue(request);
  if (browser === undefined) return showLinkEndedPage(context, request, [cookie.clearHeader]);

  // The attempt is counted before it is checked, so that simultaneous ones don't exceed the limit.
  const attempted = await store.write(DIRECTORY, async (tx) => {
    const record = await mailCodes.get(tx, sha256Hex(browser));
    if (!record || !isOpenRequest(record, store.now())) return undefined;
    const counted = { ...record, tries: record.tries + 1 };
    await mailCodes.put(tx, counted);
    return counted;
  });
  if (!attempted) return showLinkEndedPage(context, request, [cookie.clearHeader]);

  const secret = fields.get("secret");
  // A typed code may have letters that look like the digits of a generated one.
  const code = (fields.get("code") ?? "")
    .toLowerCase()
    .replace(/[^0-9a-z]/g, "")
    .replaceAll("o", "0")
    .replace(/[il]/g, "1")
    .replaceAll("u", "v");
  const isCorrect =
    secret === null
      ? secrets.isDigest("sign-in", `code ${browser} ${code}`, attempted.code)
      : isEqualInConstantTime(attempted.link, sha256Hex(secret));
  if (!isCorrect) {
    // The audit log of the user with the address gets the wrong code. Waiting for it would reveal that there is such a user.
    const userAgent = request.headers.get("user-agent") ?? undefined;
    runAfterResponse(context, () =>
      store.write(DIRECTORY, async (tx) => {
        const user = await users.find(tx, "email", foldText(attempted.email));
        if (!user) return;
        recordUserAuditEvent(jobs, tx, user.id, {
          action: "signInFailed",
          actor: { type: "visitor" },
          credential: { type: "email" },
          from: { address: request.address, userAgent },
          status: 400,
          things: [{ type: "user", id: user.id }],
        });
      }),
    );
    if (attempted.tries >= MAX_MAIL_CODE_ATTEMPTS) return showLinkEndedPage(context, request, [cookie.clearHeader]);
    return showMailSentPage(emailSignIn, request, messages.codeWrong);
  }

  const isAllowed = await canSignIn(context, await store.read(DIRECTORY), attempted.email, attempted.to);
  const result = await store.write(DIRECTORY, async (tx) => {
    const record = await mailCodes.get(tx, attempted.browser);
    if (!record) return "ended";
    await mailCodes.delete(tx, record.browser);
    if (!isAllowed) return "not allowed";
    const user = await findOrCreateUser(tx, context, record.email);
    const { setCookie } = await beginSession(tx, context, request, { user: user.id, by: "email" });
    return { user, setCookie };
  });
  if (result === "ended") return showLinkEndedPage(context, request, [cookie.clearHeader]);
  // The address is proven, but its invite has ended in the meantime.
  if (result === "not allowed")
    return showPage(context, request, {
      title: messages.unknown,
      status: 403,
      cookies: [cookie.clearHeader],
      main: renderErrorMessage(messages.unknownWhy),
    });
  if (result.user.isNew) await joinOrganizationsByDomain(context, result.user);
  return redirectAfterSignIn(context, result.setCookie, attempted.to, [cookie.clearHeader]);
}

/** Runs a task after the response, so that the response takes the same time whatever the task does. */
function runAfterResponse({ kernel }: SignInContext, task: () => Promise<unknown>): void {
  const { waitUntil, onError } = kernel.jobs;
  const done = pauseUntilNextTurn().then(task).catch(onError);
  waitUntil?.(done);
}
