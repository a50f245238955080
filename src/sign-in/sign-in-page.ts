// The sign-in page, which shows who is signed in to those who are, and signing out.

import { formatMessage } from "../locales/format-message";
import { html } from "../utils/html";
import { endSession } from "./begin-session";
import type { SignInContext, SignInRequest, SignInRouteFactory } from "./context";
import { findBrowserSession, findCurrentUser, ignoreRefusal } from "./find-session";
import { renderButton, renderForm, renderFormField, renderLinkButton, renderList } from "./pages/blocks";
import { toLocalPath } from "./pages/forms";
import { createRedirect, showPage } from "./pages/page";
import { loadSamlHandlers } from "./saml";

export const createSignInPageRoutes: SignInRouteFactory = (context) => [
  {
    method: "GET",
    path: "/sign-in",
    async handle(request) {
      const user = request.query.has("again") ? undefined : await findCurrentUser(context, request);
      if (!user) return showPage(context, request, await renderSignInPage(context, request));
      const destination = toLocalPath(context.origin, request.query.get("to"));
      if (destination !== undefined) return createRedirect(context, destination);

      const messages = request.messages.signIn;
      const call = context.client.callAsSender(request)("listOrganizations", { query: { limit: 100 } });
      const { items = [] } = (await ignoreRefusal(call)) ?? {};
      const home = toLocalPath(context.origin, context.options.home);
      const organizations = items.map(({ title, urls }) =>
        home === undefined ? html`<bdi>${title}</bdi>` : html`<a href="${urls.app}"><bdi>${title}</bdi></a>`,
      );
      return showPage(context, request, {
        title: messages.signedIn,
        main: html`<p>${formatMessage(messages.signedInAs, { name: user.displayName, email: user.email })}</p>
<h2>${messages.organizations}</h2>
${organizations.length > 0 ? renderList("list", organizations) : html`<p>${messages.noOrganizations}</p>`}
${home !== undefined && html`<p>${renderLinkButton(home, messages.goOn)}</p>`}
${renderSignOutForm(context, request)}`,
      });
    },
  },
  {
    method: "GET",
    path: "/sign-out",
    async handle(request) {
      const messages = request.messages.signIn;
      return showPage(context, request, {
        title: messages.signOut,
        main: html`<p>${messages.signOutWhy}</p>${renderSignOutForm(context, request)}`,
      });
    },
  },
  {
    method: "POST",
    path: "/sign-out",
    async handle(request) {
      const session = (await findBrowserSession(context, request))?.session;
      // The provider that vouched for the session may have a logout URL.
      const samlLogout = session?.vouched
        ? await (await loadSamlHandlers()).findLogoutLink(context, session)
        : undefined;
      const clearedCookie = await endSession(context, request);

      // The provider may still know the user in this browser, so the page offers to sign out there as well.
      const providerLogouts = (await context.listButtons())
        .filter(({ signOut }) => signOut !== undefined && signOut.by === session?.by)
        .map(({ name, signOut }) => ({ name, url: context.getUrl(signOut!.path) }));
      if (samlLogout) providerLogouts.push(samlLogout);

      const messages = request.messages.signIn;
      return showPage(context, request, {
        title: messages.signedOut,
        main: renderList("buttons", [
          renderLinkButton(context.getUrl("/sign-in"), messages.signIn, { isSecondary: true }),
          ...providerLogouts.map(({ name, url }) =>
            renderLinkButton(url, `${messages.signOut}: ${name}`, { isSecondary: true }),
          ),
        ]),
        cookies: [clearedCookie],
      });
    },
  },
];

/** Renders the sign-in page. `error` is shown at the field of the e-mail address. */
export async function renderSignInPage(
  context: SignInContext,
  request: SignInRequest,
  {
    to = toLocalPath(context.origin, request.query.get("to")),
    email,
    error,
  }: { to?: string | undefined; email?: string; error?: string } = {},
) {
  const messages = request.messages.signIn;
  const buttons = await context.listButtons();
  const query = to === undefined ? "" : `?to=${encodeURIComponent(to)}`;
  const hasMail = context.kernel.jobs.ports.sendMail !== undefined;
  const links = buttons.map(({ name, path }) =>
    renderLinkButton(context.getUrl(path) + query, formatMessage(messages.continueWith, { name }), {
      isSecondary: true,
    }),
  );
  const mailForm = renderForm(
    context.getUrl("/sign-in/mail"),
    [
      renderFormField({
        name: "email",
        label: messages.email,
        type: "email",
        value: email,
        error,
        hint: messages.emailHint,
        autocomplete: "email",
        maxLength: 254,
      }),
      renderButton(messages.sendLink),
    ],
    { to },
  );
  const { linkCommand } = context.options;
  // The same for everybody, so it reveals no address.
  const noWay =
    linkCommand === undefined
      ? html`<p class="note">${messages.noWay}</p>`
      : html`<p class="note">${messages.noMail}</p>
<p>${messages.linkCommand}</p>
<p dir="ltr"><code>${linkCommand}</code></p>`;
  return {
    title: messages.signIn,
    main: html`${links.length > 0 && renderList("buttons", links)}${
      links.length > 0 && hasMail && html`<p class="or">${messages.or}</p>`
    }${hasMail && mailForm}${links.length === 0 && !hasMail && noWay}`,
  };
}

export function renderSignOutForm(context: SignInContext, request: SignInRequest) {
  const { signOut } = request.messages.signIn;
  return renderForm(context.getUrl("/sign-out"), renderButton(signOut, { isSecondary: true }));
}
