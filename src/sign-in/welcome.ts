// The page to sign in, the page of somebody who has, and signing out.

import type { PlainResponse } from "../http/plain-request";
import { html } from "../utils/html";
import { type Person, whoIs } from "./ask";
import { endSession } from "./begin-session";
import { button, buttons, field, form, linkButton, list, named, note, or } from "./pages/blocks";
import { pathWithin } from "./pages/forms";
import { getRequestLanguage, seeOther, show } from "./pages/page";
import { wordsIn } from "./pages/words";
import type { SignInContext, SignInRequest, SignInRoute } from "./parts";
import { leavingBySaml } from "./saml";
import { signedIn } from "./signed-in";

export const welcome: SignInRoute = (house) => [
  { method: "GET", path: "/sign-in", answer: (request) => signInOrGoOn(house, request) },
  { method: "GET", path: "/sign-out", answer: async (request) => signOutPage(house, request) },
  {
    method: "POST",
    path: "/sign-out",
    async answer(request) {
      const session = (await signedIn(house, request))?.session;
      const leaving = await leavingBySaml(house, session);
      const cleared = await endSession(house, request);
      const by = session?.by;
      const ways = (await house.ways()).filter(({ signOut }) => signOut !== undefined && signOut.by === by);
      const elsewhere = ways.map(({ name, signOut }) => ({ name, url: house.urlOf(signOut!.path) }));
      return show(house, request, signedOut(house, request, cleared, [...elsewhere, ...(leaving ? [leaving] : [])]));
    },
  },
];

/** Where somebody wants to go, as a path of ours that is safe to lead to. */
function wanted({ origin }: SignInContext, { query }: SignInRequest): string | undefined {
  return pathWithin(origin, query.get("to"));
}

async function signInOrGoOn(house: SignInContext, request: SignInRequest): Promise<PlainResponse> {
  const person = request.query.has("again") ? undefined : await whoIs(house.ask, request);
  if (!person) return show(house, request, await signInPage(house, request));
  const to = wanted(house, request);
  return to === undefined ? signedInPage(house, request, person) : seeOther(house, to);
}

/** The page to sign in. `wrong` is what is wrong with an address that was typed. */
export async function signInPage(
  house: SignInContext,
  request: SignInRequest,
  { to = wanted(house, request), email, wrong }: { to?: string | undefined; email?: string; wrong?: string } = {},
) {
  const words = wordsIn(getRequestLanguage(request));
  const ways = await house.ways();
  const after = to === undefined ? "" : `?to=${encodeURIComponent(to)}`;
  const hasMail = house.kernel.jobs.ports.sendMail !== undefined;
  const links = ways.map(({ name, path }) =>
    linkButton(house.urlOf(path) + after, words.continueWith(name), { isSecond: true }),
  );
  const byMail = form(
    house.urlOf("/sign-in/mail"),
    [
      field({
        name: "email",
        label: words.email,
        type: "email",
        value: email,
        wrong,
        hint: words.emailHint,
        autocomplete: "email",
        maxLength: 254,
      }),
      button(words.sendLink),
    ],
    { to },
  );
  return {
    title: words.signIn,
    main: html`${links.length > 0 && buttons(links)}${links.length > 0 && hasMail && or(words.or)}${hasMail && byMail}${
      links.length === 0 && !hasMail && note(words.noWay)
    }`,
  };
}

async function signedInPage(house: SignInContext, request: SignInRequest, person: Person): Promise<PlainResponse> {
  const words = wordsIn(getRequestLanguage(request));
  const { body } = await house.ask(request, "GET /orgs?limit=100");
  const home = pathWithin(house.origin, house.options.home);
  const organizations = (body?.items ?? []).map(({ title, urls }: { title: string; urls: { app: string } }) =>
    home === undefined ? named(title) : html`<a href="${urls.app}">${named(title)}</a>`,
  );
  return show(house, request, {
    title: words.signedIn,
    main: html`<p>${words.signedInAs(person.displayName, person.email)}</p>
<h2>${words.organizations}</h2>
${organizations.length > 0 ? list(organizations) : html`<p>${words.noOrganizations}</p>`}
${home !== undefined && html`<p>${linkButton(home, words.goOn)}</p>`}
${signOutForm(house, request)}`,
  });
}

/** The button that signs out. */
export function signOutForm(house: SignInContext, request: SignInRequest) {
  return form(house.urlOf("/sign-out"), button(wordsIn(getRequestLanguage(request)).signOut, { isSecond: true }));
}

function signOutPage(house: SignInContext, request: SignInRequest): PlainResponse {
  const words = wordsIn(getRequestLanguage(request));
  return show(house, request, {
    title: words.signOut,
    main: html`<p>${words.signOutWhy}</p>${signOutForm(house, request)}`,
  });
}

/** `elsewhere`: providers that may still know the person in this browser. */
function signedOut(
  house: SignInContext,
  request: SignInRequest,
  cleared: string,
  elsewhere: readonly { readonly name: string; readonly url: string }[],
) {
  const words = wordsIn(getRequestLanguage(request));
  const outs = elsewhere.map(({ name, url }) => linkButton(url, `${words.signOut}: ${name}`, { isSecond: true }));
  return {
    title: words.signedOut,
    main: buttons([linkButton(house.urlOf("/sign-in"), words.signIn, { isSecond: true }), ...outs]),
    cookies: [cleared],
  };
}
