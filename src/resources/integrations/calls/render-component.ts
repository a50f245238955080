// Renders components of an integration inside the application: a request becomes a `ui_render` event whose
// response is returned at once.

import * as v from "valibot";
import { BinarySchema } from "../../../operation/binary-response";
import { defineOperation } from "../../../operation/operation";
import { callLazily, loadLazily } from "../../../utils/lazy";
import { integration } from "../definitions/rules";
import { RenderRequest } from "./render-schema";

const loadRenderer = loadLazily(() => import("./render"));

/** An integration with components. The place where a component is shown decides who may see it. */
const renderable: typeof integration = { ...integration, rights: { ...integration.rights, view: () => true } };

export const renderComponent = defineOperation("GET /integrations/:integrationName/render", {
  summary: "Render a component",
  target: renderable,
  right: "view",
  allowsVisitors: true,
  query: { request: v.pipe(v.string("Expected text"), v.maxLength(32_768, "Expected at most 32768 characters")) },
  returns: BinarySchema,
  mediaTypes: ["application/json"],
  callsIntegration: true,
  handle: callLazily(loadRenderer, (it) => it.renderPackedRequest),
});

export const renderComponentByPost = defineOperation("POST /integrations/:integrationName/render", {
  summary: "Render a component with a POST request",
  target: renderable,
  right: "view",
  allowsVisitors: true,
  body: RenderRequest,
  returns: BinarySchema,
  mediaTypes: ["application/json"],
  callsIntegration: true,
  isReadOnly: true,
  handle: async (context) => (await loadRenderer()).renderForCaller(context, context.body),
});
