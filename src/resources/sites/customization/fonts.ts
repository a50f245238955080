// The operations on the fonts of an organization. The customization of a site refers to a font by its id. A font in use can't be deleted.

import type * as v from "valibot";
import { createError } from "../../../errors";
import { type CallContext, defineOperation } from "../../../operation/operation";
import { paginateList } from "../../../operation/pagination";
import { getPermissions } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import { omitUndefined } from "../../../utils/objects";
import { defineOrganizationTarget, type OrganizationContext, organization } from "../../people/organizations/rules";
import { customizations } from "./customization-records";
import { type FontRecord, fonts, MAX_FONTS } from "./font-records";
import { CustomFont, FontChanges, NewFont } from "./font-schema";

const font = defineOrganizationTarget(
  "font_not_found",
  async ({ tx, params }) => {
    const font = await fonts.get(tx, params.fontId!);
    return font && { font };
  },
  { view: organization.rights.listSites, edit: organization.rights.createContent },
);

export const listFonts = defineOperation("GET /orgs/:organizationId/fonts", {
  summary: "List fonts",
  target: organization,
  right: "listSites",
  list: CustomFont,
  async handle(context) {
    const { tx, pageRequest } = context;
    return paginateList(
      pageRequest,
      (slice) => fonts.list(tx, "byAge", slice),
      await fonts.total(tx, "all"),
      (records) => records.map((it) => presentFont(context, it)),
    );
  },
});

const fontCreation = {
  target: organization,
  right: "createContent",
  body: NewFont,
  returns: CustomFont,
  status: 201,
  async handle(context: OrganizationContext & CallContext & { readonly body: v.InferOutput<typeof NewFont> }) {
    const { tx, body, now, newId } = context;
    if ((await fonts.total(tx, "all")) >= MAX_FONTS) throw createError("too_many_fonts");
    const created: FontRecord = { id: newId("font"), ...body, createdAt: now.toISOString() };
    await fonts.put(tx, created);
    return presentFont(context, created);
  },
} as const;

export const createFont = defineOperation("POST /orgs/:organizationId/fonts", {
  summary: "Add a font",
  ...fontCreation,
});

export const createFontByPut = defineOperation("PUT /orgs/:organizationId/fonts", {
  summary: "Add a font with a PUT request",
  ...fontCreation,
});

export const getFont = defineOperation("GET /orgs/:organizationId/fonts/:fontId", {
  summary: "Get a font",
  target: font,
  right: "view",
  returns: CustomFont,
  handle: async (context) => presentFont(context, context.font),
});

export const updateFont = defineOperation("POST /orgs/:organizationId/fonts/:fontId", {
  summary: "Update a font",
  target: font,
  right: "edit",
  body: FontChanges,
  returns: CustomFont,
  async handle(context) {
    const changed: FontRecord = { ...context.font, ...omitUndefined(context.body) };
    await fonts.put(context.tx, changed);
    return presentFont(context, changed);
  },
});

export const deleteFont = defineOperation("DELETE /orgs/:organizationId/fonts/:fontId", {
  summary: "Delete a font",
  target: font,
  right: "edit",
  async handle({ tx, font }) {
    // A site or a site-space may use it.
    const counts = await Promise.all([
      customizations.total(tx, "withFont", font.id),
      customizations.total(tx, "withMonospaceFont", font.id),
    ]);
    if (counts.some((count) => count > 0)) throw createError("font_in_use");
    await fonts.delete(tx, font.id);
  },
});

function presentFont(
  context: OrganizationContext & { readonly urls: Urls },
  record: FontRecord,
): v.InferInput<typeof CustomFont> {
  const { id, fontFamily, fontFaces, createdAt } = record;
  return {
    object: "font",
    id,
    custom: true,
    fontFamily,
    fontFaces,
    createdAt,
    permissions: getPermissions(font, { ...context, font: record }, ["edit"]),
    urls: { location: context.urls.api(`/orgs/${context.organization.id}/fonts/${id}`) },
  };
}
