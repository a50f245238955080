// The page that an invite opens. Whoever has the link of an invite sees what it is for; accepting it is the API's operation.

import { DocsError } from "../errors";
import type { PlainResponse } from "../http/plain-request";
import { ANONYMOUS } from "../operation/actor";
import { loadInvite } from "../resources/people/invites/rules";
import { findOrganizationPartition } from "../resources/people/organizations/records";
import { html } from "../utils/html";
import { type Person, whoIs } from "./ask";
import { button, form, linkButton, problem } from "./pages/blocks";
import { failedPage } from "./pages/failed";
import { getRequestLanguage, seeOther, show } from "./pages/page";
import { wordsIn } from "./pages/words";
import type { SignInContext, SignInRequest, SignInRoute } from "./parts";
import { signOutForm } from "./welcome";

const PATH = "/o/:organizationId/invites/:inviteId";

export const invites: SignInRoute = (house) => [
  { method: "GET", path: PATH, isOfApp: true, answer: (request) => invitePage(house, request) },
  { method: "POST", path: PATH, isOfApp: true, answer: (request) => accept(house, request) },
];

/** The path of the page itself. */
function pathOf({ params }: SignInRequest): string {
  return `/o/${encodeURIComponent(params.organizationId!)}/invites/${encodeURIComponent(params.inviteId!)}`;
}

async function invitePage(house: SignInContext, request: SignInRequest): Promise<PlainResponse> {
  const person = await whoIs(house.ask, request);
  const found = await openInvite(house, request, person);
  if (!found) return overPage(house, request);
  const words = wordsIn(getRequestLanguage(request));
  const { title } = found.organization;
  if (person && !found.isForMe) return forOtherPage(house, request, person);
  const lead = html`<p>${words.invited(title)}</p>`;
  if (!person)
    return show(house, request, {
      title: words.join(title),
      main: html`${lead}<p>${words.signInFirst}</p>${linkButton(
        `${house.urlOf("/sign-in")}?to=${encodeURIComponent(pathOf(request))}`,
        words.signIn,
      )}`,
    });
  return show(house, request, {
    title: words.join(title),
    main: html`${lead}<p class="quiet">${words.invitedAs(person.displayName, person.email)}</p>
${form(pathOf(request), button(words.accept))}${signOutForm(house, request)}`,
  });
}

/** The invite of a path while it is open to whoever asks; undefined when there is none, or it is used, ended or taken back. */
async function openInvite({ kernel }: SignInContext, { params }: SignInRequest, person: Person | undefined) {
  const partition = findOrganizationPartition(params.organizationId!);
  if (partition === undefined) return undefined;
  const { store, secrets } = kernel;
  const actor = { ...ANONYMOUS, user: person ?? ANONYMOUS.user };
  const found = await loadInvite({ tx: await store.read(partition), params, actor, now: store.now(), secrets });
  return found?.isOpen ? found : undefined;
}

async function accept(house: SignInContext, request: SignInRequest): Promise<PlainResponse> {
  const { organizationId, inviteId } = request.params as { organizationId: string; inviteId: string };
  const person = await whoIs(house.ask, request);
  const found = await openInvite(house, request, person);
  if (!person || !found) return invitePage(house, request);
  const at = `/orgs/${encodeURIComponent(organizationId)}/invites/${encodeURIComponent(inviteId)}`;
  const { status, body } = await house.ask(request, `POST ${at}`);
  const words = wordsIn(getRequestLanguage(request));
  if (status === 200 && house.options.home !== undefined)
    return seeOther(house, house.kernel.urls.app(`/o/${organizationId}`));
  if (status === 200)
    return show(house, request, {
      title: words.joined(found.organization.title),
      main: linkButton(house.urlOf("/sign-in"), words.goOn),
    });
  const { reason, message } = body.error;
  if (reason === "invite_for_someone_else") return forOtherPage(house, request, person);
  if (reason === "invite_not_found") return overPage(house, request);
  return failedPage(house, request, new DocsError(reason, { message }));
}

function overPage(house: SignInContext, request: SignInRequest): PlainResponse {
  const words = wordsIn(getRequestLanguage(request));
  return show(house, request, { title: words.inviteOver, status: 404, main: problem(words.inviteOverWhy) });
}

function forOtherPage(house: SignInContext, request: SignInRequest, { email }: Person): PlainResponse {
  const words = wordsIn(getRequestLanguage(request));
  return show(house, request, {
    title: words.inviteForOther,
    status: 403,
    main: html`${problem(words.inviteForOtherWhy(email))}${signOutForm(house, request)}`,
  });
}
