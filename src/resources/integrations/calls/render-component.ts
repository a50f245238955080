// Renders components of an integration inside the application: a request becomes a `ui_render` event that is answered
// at once.

import * as v from "valibot";
import { Bytes } from "../../../operation/binary-response";
import { operation } from "../../../operation/operation";
import { late, lately } from "../../../utils/lazy";
import { integration } from "../definitions/rules";
import { RenderRequest } from "./render-schema";

const rendering = late(() => import("./render"));

/** An integration with components. Where a component is shown decides who may see it. */
const rendered: typeof integration = { ...integration, rights: { ...integration.rights, view: () => true } };

export const renderComponent = operation("GET /integrations/:integrationName/render", {
  summary: "Render a component of an integration",
  description: "`request` is the JSON that POST takes, compressed with LZ-string for a URL, or as base64.",
  on: rendered,
  right: "view",
  forVisitors: true,
  query: { request: v.pipe(v.string("Expected text"), v.maxLength(32_768, "Expected at most 32768 characters")) },
  returns: Bytes,
  sends: ["application/json"],
  asksIntegration: true,
  handle: lately(rendering, (it) => it.renderPacked),
});

export const renderComponentByPost = operation("POST /integrations/:integrationName/render", {
  summary: "Render a component of an integration, asked by POST",
  on: rendered,
  right: "view",
  forVisitors: true,
  body: RenderRequest,
  returns: Bytes,
  sends: ["application/json"],
  asksIntegration: true,
  isQuestion: true,
  handle: lately(rendering, (it) => it.renderSent),
});
