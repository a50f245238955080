// Sign-in by SAML 2.0: the routes of each provider of an organization, whose URLs the API shows as its `service`. The handlers, which
// parse XML, are loaded when they are first needed.

import { createError } from "../../errors";
import type { PlainResponse } from "../../http/plain-request";
import { getSamlProviderStatus } from "../../resources/people/saml/rules";
import { loadLazily } from "../../utils/lazy";
import type { SignInContext, SignInRequest, SignInRoute, SignInRouteFactory } from "../context";
import type { SamlConnection } from "./connection";

export const loadSamlHandlers = loadLazily(() => import("./handlers"));
type SamlHandlers = Awaited<ReturnType<typeof loadSamlHandlers>>;

const PROVIDER_PATH = "/v1/orgs/:organizationId/saml/:samlProviderId";

export const createSamlRoutes: SignInRouteFactory = (context) => {
  /** Creates a route of a provider. It doesn't exist until the provider is complete, except for the metadata. */
  const createRoute = (
    method: SignInRoute["method"],
    path: string,
    handle: (
      handlers: SamlHandlers,
      context: SignInContext,
      request: SignInRequest,
      connection: SamlConnection,
    ) => Promise<PlainResponse>,
  ): SignInRoute => ({
    method,
    path: `${PROVIDER_PATH}/${path}`,
    async handle(request) {
      const handlers = await loadSamlHandlers();
      const { organizationId = "", samlProviderId = "" } = request.params;
      const connection = await handlers.findConnection(context, organizationId, samlProviderId);
      if (!connection || !(path === "metadata" || getSamlProviderStatus(connection.provider) === "active"))
        throw createError("route_not_found");
      return handle(handlers, context, request, connection);
    },
  });
  return [
    createRoute("GET", "metadata", (handlers, context, _, connection) => handlers.showMetadata(context, connection)),
    createRoute("GET", "start", (handlers, ...rest) => handlers.startSignIn(...rest)),
    // The site of the provider sends this form.
    { ...createRoute("POST", "acs", (handlers, ...rest) => handlers.receiveResponse(...rest)), allowsCrossSite: true },
    createRoute("GET", "acs", (handlers, ...rest) => handlers.completeSignIn(...rest)),
    createRoute("GET", "logout", (handlers, ...rest) => handlers.receiveLogout(...rest)),
    createRoute("POST", "logout", (handlers, ...rest) => handlers.startLogout(...rest)),
    createRoute("POST", "confirm", (handlers, ...rest) => handlers.confirmLink(...rest)),
  ];
};
