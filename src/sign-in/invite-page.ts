// The page that an invite link opens. It names the organization, and accepts the invite through the API.

import { DocsError } from "../errors";
import type { User } from "../generated/resources";
import type { PlainResponse } from "../http/plain-request";
import { formatMessage } from "../locales/format-message";
import { ANONYMOUS } from "../operation/actor";
import { loadInvite } from "../resources/people/invites/rules";
import { findOrganizationPartition } from "../resources/people/organizations/records";
import { html } from "../utils/html";
import type { SignInContext, SignInRequest, SignInRouteFactory } from "./context";
import { findCurrentUser } from "./find-session";
import { renderButton, renderErrorMessage, renderForm, renderLinkButton } from "./pages/blocks";
import { showErrorPage } from "./pages/error-pages";
import { createRedirect, showPage } from "./pages/page";
import { renderSignOutForm } from "./sign-in-page";

const INVITE_PATH = "/o/:organizationId/invites/:inviteId";

export const createInviteRoutes: SignInRouteFactory = (context) => [
  { method: "GET", path: INVITE_PATH, isAppPath: true, handle: (request) => showInvitePage(context, request) },
  {
    method: "POST",
    path: INVITE_PATH,
    isAppPath: true,
    async handle(request) {
      const { organizationId, inviteId } = request.params as { organizationId: string; inviteId: string };
      const user = await findCurrentUser(context, request);
      const invite = await findOpenInvite(context, request, user);
      if (!user || !invite) return showInvitePage(context, request);
      try {
        await context.client.callAsSender(request)("acceptInvite", { params: { organizationId, inviteId } });
      } catch (error) {
        if (!(error instanceof DocsError)) throw error;
        const { reason, message } = error;
        if (reason === "invite_for_someone_else") return showWrongUserPage(context, request, user);
        if (reason === "invite_not_found") return showInviteEndedPage(context, request);
        return showErrorPage(context, request, new DocsError(reason, { message }));
      }
      if (context.options.home !== undefined)
        return createRedirect(context, context.kernel.urls.app(`/o/${organizationId}`));
      const messages = request.messages.signIn;
      return showPage(context, request, {
        title: formatMessage(messages.joined, { organization: invite.organization.title }),
        main: renderLinkButton(context.getUrl("/sign-in"), messages.goOn),
      });
    },
  },
];

async function showInvitePage(context: SignInContext, request: SignInRequest): Promise<PlainResponse> {
  const user = await findCurrentUser(context, request);
  const invite = await findOpenInvite(context, request, user);
  if (!invite) return showInviteEndedPage(context, request);
  const messages = request.messages.signIn;
  const { title } = invite.organization;
  if (user && !invite.isForMe) return showWrongUserPage(context, request, user);
  const { organizationId, inviteId } = request.params;
  const path = `/o/${encodeURIComponent(organizationId!)}/invites/${encodeURIComponent(inviteId!)}`;
  const introduction = html`<p>${formatMessage(messages.invited, { organization: title })}</p>`;
  if (!user)
    return showPage(context, request, {
      title: formatMessage(messages.join, { organization: title }),
      main: html`${introduction}<p>${messages.signInFirst}</p>${renderLinkButton(
        `${context.getUrl("/sign-in")}?to=${encodeURIComponent(path)}`,
        messages.signIn,
      )}`,
    });
  return showPage(context, request, {
    title: formatMessage(messages.join, { organization: title }),
    main: html`${introduction}<p class="quiet">${formatMessage(messages.invitedAs, { name: user.displayName, email: user.email })}</p>
${renderForm(path, renderButton(messages.accept))}${renderSignOutForm(context, request)}`,
  });
}

/** Returns the invite of a path while it can be accepted. A used, expired or revoked invite is treated as none. */
async function findOpenInvite({ kernel }: SignInContext, { params }: SignInRequest, user: User | undefined) {
  const partition = findOrganizationPartition(params.organizationId!);
  if (partition === undefined) return undefined;
  const { store, secrets } = kernel;
  const actor = { ...ANONYMOUS, user: user ?? ANONYMOUS.user };
  const invite = await loadInvite({ tx: await store.read(partition), params, actor, now: store.now(), secrets });
  return invite?.isOpen ? invite : undefined;
}

function showInviteEndedPage(context: SignInContext, request: SignInRequest): PlainResponse {
  const messages = request.messages.signIn;
  return showPage(context, request, {
    title: messages.inviteOver,
    status: 404,
    main: renderErrorMessage(messages.inviteOverWhy),
  });
}

function showWrongUserPage(context: SignInContext, request: SignInRequest, { email }: User): PlainResponse {
  const messages = request.messages.signIn;
  return showPage(context, request, {
    title: messages.inviteForOther,
    status: 403,
    main: html`${renderErrorMessage(formatMessage(messages.inviteForOtherWhy, { email }))}${renderSignOutForm(context, request)}`,
  });
}
