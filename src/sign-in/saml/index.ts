// Signing in by SAML 2.0: for each provider of an organization the paths that the API answers as its `service`. What reads
// XML is loaded when somebody first needs it.

import { createError } from "../../errors";
import type { PlainResponse } from "../../http/plain-request";
import type { SessionRecord } from "../../resources/people/sessions/records";
import { loadLazily } from "../../utils/lazy";
import type { SignInContext, SignInRequest, SignInRoute, SignInRouteFactory } from "../context";
import type { SamlConnection } from "./connection";

const load = loadLazily(() => import("./handlers"));
type Steps = Awaited<ReturnType<typeof load>>;

const AT = "/v1/orgs/:organizationId/saml/:samlProviderId";

export const createSamlRoutes: SignInRouteFactory = (context) => {
  /** Answers for a provider that there is, and that is complete. */
  const answering =
    (
      answer: (
        steps: Steps,
        context: SignInContext,
        request: SignInRequest,
        connection: SamlConnection,
      ) => Promise<PlainResponse>,
      isPendingToo = false,
    ) =>
    async (request: SignInRequest) => {
      const steps = await load();
      const connection = await steps.findConnection(context, request);
      if (!connection || !(isPendingToo || steps.isActiveConnection(connection))) throw createError("route_not_found");
      return answer(steps, context, request, connection);
    };
  const routes: SignInRoute[] = [
    {
      method: "GET",
      path: `${AT}/metadata`,
      handle: answering((steps, context, _, connection) => steps.showMetadata(context, connection), true),
    },
    { method: "GET", path: `${AT}/start`, handle: answering((steps, ...rest) => steps.startSignIn(...rest)) },
    // The form comes from the provider's site.
    {
      method: "POST",
      path: `${AT}/acs`,
      allowsCrossSite: true,
      handle: answering((steps, ...rest) => steps.receiveResponse(...rest)),
    },
    { method: "GET", path: `${AT}/acs`, handle: answering((steps, ...rest) => steps.completeSignIn(...rest)) },
    { method: "GET", path: `${AT}/logout`, handle: answering((steps, ...rest) => steps.receiveLogout(...rest)) },
    { method: "POST", path: `${AT}/logout`, handle: answering((steps, ...rest) => steps.startLogout(...rest)) },
    { method: "POST", path: `${AT}/confirm`, handle: answering((steps, ...rest) => steps.confirmLink(...rest)) },
  ];
  return routes;
};

/** The provider that vouched for a session, and where one signs out there; undefined when there is none to sign out at. */
export async function findSamlLogout(context: SignInContext, session: SessionRecord | undefined) {
  return session?.vouched ? (await load()).findLogoutLink(context, session) : undefined;
}
