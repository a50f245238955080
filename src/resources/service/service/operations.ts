// Information about the API itself, which everybody may read without a token.

import * as v from "valibot";
import { createError } from "../../../errors";
import { defineOperation } from "../../../operation/operation";
import type { Target } from "../../../operation/target";
import { DIRECTORY } from "../../../storage/ids";

const service: Target<object, "view"> = {
  findPartition: () => DIRECTORY,
  load: async () => ({}),
  notFoundReason: "route_not_found",
  rights: { view: () => true },
  allowsAnonymous: true,
};

export const getService = defineOperation("GET /", {
  summary: "Get the API version",
  target: service,
  right: "view",
  returns: v.object({ version: v.string() }),
  handle: async ({ apiInfo }) => ({ version: apiInfo.version }),
});

export const getOpenApi = defineOperation("GET /openapi.json", {
  summary: "Get the OpenAPI document",
  target: service,
  right: "view",
  returns: v.looseObject({ openapi: v.string() }),
  handle: async ({ apiInfo }) => (await apiInfo.getOpenApiDocument()) as { openapi: string },
});

export const getHealth = defineOperation("GET /health", {
  summary: "Check health",
  target: service,
  right: "view",
  isProbe: true,
  cache: false,
  allowsUnknownQuery: true,
  returns: v.object({ status: v.literal("up") }),
  handle: async () => ({ status: "up" as const }),
});

export const getReadiness = defineOperation("GET /ready", {
  summary: "Check readiness",
  target: service,
  right: "view",
  isProbe: true,
  cache: false,
  allowsUnknownQuery: true,
  returns: v.object({ status: v.literal("ready") }),
  async handle({ apiInfo }) {
    const why = await apiInfo.getNotReadyReason();
    if (why !== undefined) throw createError("not_ready", { why });
    return { status: "ready" as const };
  },
});
