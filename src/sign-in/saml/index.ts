// Signing in by SAML 2.0: for each provider of an organization the paths that the API answers as its `service`. What reads
// XML is loaded when somebody first needs it.

import { createError } from "../../errors";
import type { PlainResponse } from "../../http/plain-request";
import type { SessionRecord } from "../../resources/people/sessions/records";
import { loadLazily } from "../../utils/lazy";
import type { Route, SignInContext, SignInRequest, SignInRoute } from "../parts";
import type { Found } from "./found";

const load = loadLazily(() => import("./steps"));
type Steps = Awaited<ReturnType<typeof load>>;

const AT = "/v1/orgs/:organizationId/saml/:samlProviderId";

export const saml: SignInRoute = (house) => {
  /** Answers for a provider that there is, and that is complete. */
  const answering =
    (
      answer: (steps: Steps, house: SignInContext, request: SignInRequest, found: Found) => Promise<PlainResponse>,
      isPendingToo = false,
    ) =>
    async (request: SignInRequest) => {
      const steps = await load();
      const found = await steps.findProvider(house, request);
      if (!found || !(isPendingToo || steps.isActive(found))) throw createError("route_not_found");
      return answer(steps, house, request, found);
    };
  const routes: Route[] = [
    {
      method: "GET",
      path: `${AT}/metadata`,
      answer: answering((steps, house, _, found) => steps.metadata(house, found), true),
    },
    { method: "GET", path: `${AT}/start`, answer: answering((steps, ...rest) => steps.start(...rest)) },
    // The form comes from the provider's site.
    { method: "POST", path: `${AT}/acs`, takesOthers: true, answer: answering((steps, ...rest) => steps.acs(...rest)) },
    { method: "GET", path: `${AT}/acs`, answer: answering((steps, ...rest) => steps.finish(...rest)) },
    { method: "GET", path: `${AT}/logout`, answer: answering((steps, ...rest) => steps.hearLogout(...rest)) },
    { method: "POST", path: `${AT}/logout`, answer: answering((steps, ...rest) => steps.leave(...rest)) },
    { method: "POST", path: `${AT}/confirm`, answer: answering((steps, ...rest) => steps.confirm(...rest)) },
  ];
  return routes;
};

/** The provider that vouched for a session, and where one signs out there; undefined when there is none to sign out at. */
export async function leavingBySaml(house: SignInContext, session: SessionRecord | undefined) {
  return session?.vouched ? (await load()).leavingOf(house, session) : undefined;
}
