// The operations on the schema of visitor claims, and the template conditions that depend on it.

import type * as v from "valibot";
import { createTemplateConditions } from "../../../content/claims";
import { defineOperation } from "../../../operation/operation";
import { isInstallationMember } from "../../people/members/records";
import { site } from "../rules";
import { checkMayShowSite } from "./right-to-show";
import { type AdaptiveSchemaRecord, adaptiveSchemas, loadAdaptiveSchema } from "./visitor-records";
import { AdaptiveSchema, AdaptiveSchemaChange, TemplateConditions } from "./visitor-schema";

export const getAdaptiveSchema = defineOperation("GET /orgs/:organizationId/sites/:siteId/adaptive-schema", {
  summary: "Get the adaptive content schema",
  target: site,
  right: "view",
  returns: AdaptiveSchema,
  handle: async ({ tx, site }) => presentAdaptiveSchema(await loadAdaptiveSchema(tx, site)),
});

export const setAdaptiveSchema = defineOperation("PUT /orgs/:organizationId/sites/:siteId/adaptive-schema", {
  summary: "Replace the adaptive content schema",
  target: site,
  right: "adapt",
  body: AdaptiveSchemaChange,
  returns: AdaptiveSchema,
  async handle(context) {
    const { tx, site, me, body, now } = context;
    // Other claims change which conditions are met. An installation has a scope for this, which an admin has granted.
    if (site.adaptiveContent && !isInstallationMember(me)) await checkMayShowSite(context, site);
    const schema = { site: site.id, jsonSchema: body.jsonSchema, updatedAt: now.toISOString() };
    await adaptiveSchemas.put(tx, schema);
    return presentAdaptiveSchema(schema);
  },
});

export const listTemplateConditions = defineOperation(
  "GET /orgs/:organizationId/sites/:siteId/adaptive-schema/template-conditions",
  {
    summary: "List template conditions",
    target: site,
    right: "view",
    returns: TemplateConditions,
    handle: async ({ tx, site }) => ({
      items: createTemplateConditions((await loadAdaptiveSchema(tx, site)).jsonSchema),
    }),
  },
);

function presentAdaptiveSchema({ jsonSchema, updatedAt }: AdaptiveSchemaRecord): v.InferInput<typeof AdaptiveSchema> {
  return { object: "site-adaptive-schema", jsonSchema: { ...jsonSchema }, updatedAt };
}
