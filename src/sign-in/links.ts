// Links that sign somebody in, once, which the host asks for and hands over. Opening one shows a button, so that programs
// that look at links do not use it up.

import { createError } from "../errors";
import { signInLinks } from "../resources/people/sessions/links";
import { isActiveUser, users } from "../resources/people/users/records";
import { DIRECTORY, generateRandomText } from "../storage/ids";
import { hashFingerprint } from "../storage/secrets";
import type { Reader } from "../storage/transaction";
import { html } from "../utils/html";
import { beginSession, enter } from "./begin-session";
import { button, form } from "./pages/blocks";
import { linkEndedPage } from "./pages/link-ended";
import { getRequestLanguage, show } from "./pages/page";
import { wordsIn } from "./pages/words";
import type { SignInContext, SignInRequest, SignInRoute } from "./parts";

/** How long a link can be used, unless the host says otherwise. */
const MINUTES = 15;

/** Makes a link for a user. */
export async function makeLink({ kernel, urlOf }: SignInContext, user: string, minutes = MINUTES): Promise<string> {
  const { store } = kernel;
  const value = generateRandomText(store.random, 32);
  const endsAt = new Date(store.now().getTime() + minutes * 60_000).toISOString();
  await store.write(DIRECTORY, async (tx) => {
    if (!isActiveUser(await users.get(tx, user))) throw createError("user_not_found");
    await signInLinks.put(tx, { hash: hashFingerprint(value), user, endsAt });
  });
  return urlOf(`/sign-in/link/${value}`);
}

/** The link of a value, and its user; undefined when it cannot be used any more. */
async function openLink(tx: Reader, value: string, now: Date) {
  const link = await signInLinks.get(tx, hashFingerprint(value));
  const user = link && link.endsAt > now.toISOString() ? await users.get(tx, link.user) : undefined;
  return link && isActiveUser(user) ? { link, user } : undefined;
}

export const links: SignInRoute = (house) => {
  const { store } = house.kernel;

  async function ask(request: SignInRequest) {
    const words = wordsIn(getRequestLanguage(request));
    const found = await openLink(await store.read(DIRECTORY), request.params.value!, store.now());
    if (!found) return linkEndedPage(house, request);
    return show(house, request, {
      title: words.signIn,
      main: html`<p>${words.aboutToSignIn(found.user.email)}</p>${form(
        house.urlOf(`/sign-in/link/${request.params.value}`),
        button(words.signIn),
      )}`,
    });
  }

  async function use(request: SignInRequest) {
    const begun = await store.write(DIRECTORY, async (tx) => {
      const found = await openLink(tx, request.params.value!, store.now());
      if (!found) return undefined;
      await signInLinks.delete(tx, found.link.hash);
      return beginSession(tx, house, request, { user: found.user.id, by: "link" });
    });
    return begun ? enter(house, begun.setCookie, undefined) : linkEndedPage(house, request);
  }

  return [
    { method: "GET", path: "/sign-in/link/:value", answer: ask },
    { method: "POST", path: "/sign-in/link/:value", answer: use },
  ];
};
