// The operations on the fonts of an organization. The customization of a site refers to a font by its id. A font in use can't be deleted.

import type * as v from "valibot";
import { createError } from "../../../errors";
import { defineOperation } from "../../../operation/operation";
import { paginateList } from "../../../operation/pagination";
import type { Urls } from "../../../ports/urls";
import { defineOrganizationTarget, type OrganizationContext, organization } from "../../people/organizations/rules";
import { customizations } from "./customization-records";
import { type FontRecord, fonts, MAX_FONTS } from "./font-records";
import { CustomFont, NewFont } from "./font-schema";

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

export const createFont = defineOperation("POST /orgs/:organizationId/fonts", {
  summary: "Add a font",
  target: organization,
  right: "createContent",
  body: NewFont,
  returns: CustomFont,
  status: 201,
  async handle(context) {
    const { tx, body, now, newId } = context;
    if ((await fonts.total(tx, "all")) >= MAX_FONTS) throw createError("too_many_fonts");
    const created: FontRecord = { id: newId("font"), ...body, createdAt: now.toISOString() };
    await fonts.put(tx, created);
    return presentFont(context, created);
  },
});

export const getFont = defineOperation("GET /orgs/:organizationId/fonts/:fontId", {
  summary: "Get a font",
  target: font,
  right: "view",
  returns: CustomFont,
  handle: async (context) => presentFont(context, context.font),
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
  { organization, urls }: Pick<OrganizationContext, "organization"> & { readonly urls: Urls },
  { id, fontFamily, fontFaces, createdAt }: FontRecord,
): v.InferInput<typeof CustomFont> {
  const location = urls.api(`/orgs/${organization.id}/fonts/${id}`);
  return { object: "font", id, custom: true, fontFamily, fontFaces, createdAt, urls: { location } };
}
