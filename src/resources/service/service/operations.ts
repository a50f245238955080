// Information about the API itself, open to everybody and the same for everybody.

import * as v from "valibot";
import { operation, type Target } from "../../../operation/operation";
import { DIRECTORY } from "../../../store/ids";

const service: Target<object, "view"> = {
  partition: () => DIRECTORY,
  load: async () => ({}),
  absent: "route_not_found",
  rights: { view: () => true },
  open: true,
};

export const getService = operation("GET /", {
  summary: "Ask whether the service is up, and which version it is",
  on: service,
  right: "view",
  returns: v.object({ version: v.string() }),
  async handle({ about }) {
    return { version: about.version };
  },
});

export const getOpenApi = operation("GET /openapi.json", {
  summary: "Get the OpenAPI 3.1 description of this API",
  on: service,
  right: "view",
  returns: v.looseObject({ openapi: v.string() }),
  async handle({ about }) {
    return (await about.openapi()) as { openapi: string };
  },
});
