// Links that sign a user in once. The host requests them and hands them over. Opening one shows a button, so that programs
// that preview links don't use it up.

import { createError } from "../errors";
import { formatMessage } from "../locales/format-message";
import { signInLinks } from "../resources/people/sessions/links";
import { isActiveUser, users } from "../resources/people/users/records";
import { DIRECTORY, generateRandomText } from "../storage/ids";
import type { Reader } from "../storage/transaction";
import { html } from "../utils/html";
import { sha256Hex } from "../utils/sha256";
import { beginSession, redirectAfterSignIn } from "./begin-session";
import type { SignInContext, SignInRouteFactory } from "./context";
import { renderButton, renderForm } from "./pages/blocks";
import { showLinkEndedPage } from "./pages/error-pages";
import { showPage } from "./pages/page";

/** The lifetime of a link, unless the host chooses another. */
const DEFAULT_MINUTES = 15;

export async function createSignInLink(
  { kernel, getUrl }: SignInContext,
  user: string,
  minutes = DEFAULT_MINUTES,
): Promise<string> {
  const { store } = kernel;
  const value = generateRandomText(store.random, 32);
  const endsAt = new Date(store.now().getTime() + minutes * 60_000).toISOString();
  await store.write(DIRECTORY, async (tx) => {
    if (!isActiveUser(await users.get(tx, user))) throw createError("user_not_found");
    await signInLinks.put(tx, { hash: sha256Hex(value), user, endsAt });
  });
  return getUrl(`/sign-in/link/${value}`);
}

/** Returns the link of a value and its user, or undefined if it can't be used any more. */
async function findUsableLink(tx: Reader, value: string, now: Date) {
  const link = await signInLinks.get(tx, sha256Hex(value));
  const user = link && link.endsAt > now.toISOString() ? await users.get(tx, link.user) : undefined;
  return link && isActiveUser(user) ? { link, user } : undefined;
}

export const createLinkRoutes: SignInRouteFactory = (context) => {
  const { store } = context.kernel;

  return [
    {
      method: "GET",
      path: "/sign-in/link/:value",
      async handle(request) {
        const messages = request.messages.signIn;
        const usable = await findUsableLink(await store.read(DIRECTORY), request.params.value!, store.now());
        if (!usable) return showLinkEndedPage(context, request);
        return showPage(context, request, {
          title: messages.signIn,
          main: html`<p>${formatMessage(messages.aboutToSignIn, { email: usable.user.email })}</p>${renderForm(
            context.getUrl(`/sign-in/link/${request.params.value}`),
            renderButton(messages.signIn),
          )}`,
        });
      },
    },
    {
      method: "POST",
      path: "/sign-in/link/:value",
      async handle(request) {
        const begun = await store.write(DIRECTORY, async (tx) => {
          const usable = await findUsableLink(tx, request.params.value!, store.now());
          if (!usable) return undefined;
          await signInLinks.delete(tx, usable.link.hash);
          return beginSession(tx, context, request, { user: usable.user.id, by: "link" });
        });
        return begun ? redirectAfterSignIn(context, begun.setCookie, undefined) : showLinkEndedPage(context, request);
      },
    },
  ];
};
