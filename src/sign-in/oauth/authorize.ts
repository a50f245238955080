// The page on which somebody allows a tool to act for them. It is shown every time: anybody can register a tool under any
// name, so nothing is decided without a person. A request that is not valid ends on a page here, and leads nowhere.

import { getCookie, serializeCookie } from "../../http/cookies";
import type { PlainResponse } from "../../http/plain-request";
import type { OpenSession } from "../../resources/people/sessions/records";
import { generateSecret, toolCodes } from "../../resources/people/tokens/tool-codes";
import { DIRECTORY } from "../../storage/ids";
import { html, type Markup } from "../../utils/html";
import { omitUndefined } from "../../utils/objects";
import { button, form, linkButton, list, named, note, problem } from "../pages/blocks";
import { fieldsOf } from "../pages/forms";
import { getRequestLanguage, seeOther, show } from "../pages/page";
import { wordsIn } from "../pages/words";
import type { SignInContext, SignInRequest } from "../parts";
import { reachedBy, signedIn } from "../signed-in";
import { type Asked, askedIn, type Flaw, parameters } from "./asked";
import { clientKey, formSource, placeOf } from "./clients";
import { issuerOf } from "./metadata";
import { toolWordsIn } from "./words";

const CODE_MS = 60_000;

/** What was asked for before somebody signed in. It is longer than what can be carried through the pages of signing in. */
const ASKED = "octavo-tool";
const MINUTES_30 = 30 * 60;

function askedCookie({ origin, basePath }: SignInContext, query: string, maxAge: number): string {
  const path = `${basePath}/oauth/authorize`;
  return serializeCookie(ASKED, encodeURIComponent(query), { isSecure: origin.startsWith("https:"), path, maxAge });
}

export async function authorizePage(house: SignInContext, request: SignInRequest): Promise<PlainResponse> {
  const kept = getCookie(request.headers.get("cookie"), ASKED);
  const given = request.query.has("client_id") || kept === undefined ? request.query : keptQuery(kept);
  const asked = askedIn(house, given);
  if (typeof asked === "string") return flawedPage(house, request, asked);
  const session = await signedIn(house, request);
  if (!session) {
    const to = encodeURIComponent(`${house.basePath}/oauth/authorize`);
    return seeOther(house, `${house.urlOf("/sign-in")}?to=${to}`, [askedCookie(house, given.toString(), MINUTES_30)]);
  }
  const { client, redirectUri, scopes } = asked;
  const words = toolWordsIn(getRequestLanguage(request));
  return show(house, request, {
    title: words.allowTitle(client.name),
    leadsTo: [formSource(redirectUri)],
    main: form(
      house.urlOf("/oauth/authorize"),
      html`${await consent(house, request, session, scopes)}
<p>${words.leadsTo} <strong>${named(placeOf(redirectUri))}</strong></p>
${decisions(request)}`,
      { ...carried(given), user: session.actor.user.id },
    ),
  });
}

function keptQuery(kept: string): URLSearchParams {
  try {
    return new URLSearchParams(decodeURIComponent(kept));
  } catch {
    return new URLSearchParams();
  }
}

function carried(given: URLSearchParams): Record<string, string | undefined> {
  return Object.fromEntries(parameters.map((name) => [name, given.get(name) ?? undefined]));
}

/** Who would be acted for, where, and what for. Each scope can be left out. */
export async function consent(
  house: SignInContext,
  request: SignInRequest,
  session: OpenSession,
  scopes: readonly string[],
): Promise<Markup> {
  const words = toolWordsIn(getRequestLanguage(request));
  const { displayName, email } = session.actor.user;
  const organizations = await reachedBy(house, session);
  const choices = (title: string, of: readonly string[]) =>
    of.length > 0 &&
    html`<fieldset><legend>${title}</legend>${of.map(
      (scope) =>
        html`<label><input type="checkbox" name="allowed" value="${scope}" checked> ${scope.split(":")[0]}</label> `,
    )}</fieldset>`;
  return html`<p>${wordsIn(getRequestLanguage(request)).signedInAs(displayName, email)}</p>
${note(words.unchecked)}
<h2>${words.reaches}</h2>
${list(organizations.map(named))}
${choices(
  words.reads,
  scopes.filter((scope) => scope.endsWith(":read")),
)}${choices(
  words.changes,
  scopes.filter((scope) => !scope.endsWith(":read")),
)}`;
}

export function decisions(request: SignInRequest): Markup {
  const words = toolWordsIn(getRequestLanguage(request));
  return html`${button(words.allow, { name: "decision", value: "allow" })}
${button(words.deny, { name: "decision", value: "deny", isSecond: true })}`;
}

/** What was decided on the page. The scopes are those that were asked for and left checked. */
export function decided(fields: URLSearchParams, scopes: readonly string[]): readonly string[] | undefined {
  if (fields.get("decision") !== "allow") return undefined;
  const allowed = fields.getAll("allowed");
  return scopes.filter((scope) => allowed.includes(scope));
}

export async function authorize(house: SignInContext, request: SignInRequest): Promise<PlainResponse> {
  const fields = await fieldsOf(request);
  const asked = askedIn(house, fields);
  if (typeof asked === "string") return flawedPage(house, request, asked);
  const session = await signedIn(house, request);
  // Somebody else has signed in since the page was shown: they see it first.
  if (session?.actor.user.id !== fields.get("user")) {
    const query = new URLSearchParams(parameters.flatMap((it) => (fields.has(it) ? [[it, fields.get(it)!]] : [])));
    return seeOther(house, house.urlOf(`/oauth/authorize?${query}`));
  }
  const scopes = decided(fields, asked.scopes);
  const cleared = [askedCookie(house, "", 0)];
  if (!scopes) return backTo(house, asked, { error: "access_denied" }, cleared);
  if (scopes.length === 0) return flawedPage(house, request, "scope");
  return backTo(house, asked, { code: await newCode(house, asked, session!, scopes) }, cleared);
}

async function newCode(
  { kernel }: SignInContext,
  { client, redirectUri, challenge }: Asked,
  { actor }: OpenSession,
  scopes: readonly string[],
): Promise<string> {
  const { store } = kernel;
  const { value, hash } = generateSecret(store.random);
  await store.write(DIRECTORY, async (tx) => {
    await toolCodes.put(tx, {
      hash,
      client: clientKey(client),
      name: client.name,
      user: actor.user.id,
      scopes,
      passed: actor.samlProviderIds ?? [],
      redirectUri,
      challenge,
      endsAt: new Date(store.now().getTime() + CODE_MS).toISOString(),
    });
  });
  return value;
}

/** Leads back to the tool, with an answer that names this server (RFC 9207). */
function backTo(
  house: SignInContext,
  { redirectUri, state }: Asked,
  answer: Readonly<Record<string, string>>,
  cookies: readonly string[],
): PlainResponse {
  const query = new URLSearchParams({
    ...answer,
    ...omitUndefined({ state: state === null ? undefined : state }),
    iss: issuerOf(house),
  });
  // The address is kept as it was registered: it is compared with no other.
  const joint = redirectUri.includes("?") ? "&" : "?";
  return seeOther(house, `${redirectUri}${joint}${query}`, cookies);
}

/** The page of a request that cannot be granted. */
export function flawedPage(house: SignInContext, request: SignInRequest, flaw: Flaw): PlainResponse {
  const words = toolWordsIn(getRequestLanguage(request));
  return show(house, request, {
    title: words.flawed,
    status: 400,
    main: html`${problem(words.flaws[flaw])}
${linkButton(house.urlOf("/sign-in"), wordsIn(getRequestLanguage(request)).back, { isSecond: true })}`,
  });
}
