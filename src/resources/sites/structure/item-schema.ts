// The schemas of requests that change the structure of a site.

import * as v from "valibot";
import { parseExpression } from "../../../content/expressions";
import { Id, listSchema, textSchema, WebUrl } from "../../../operation/common-schemas";
import { MAX_SIBLINGS } from "../records";
import { UrlName } from "../schema";

const Icon = v.nullable(textSchema(1, 50));

/** An expression that decides which visitors can see an item. */
export const ConditionText = v.pipe(
  textSchema(1, 1024),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const parsed = parseExpression(dataset.value);
    if (!parsed.ok) addIssue({ message: `${parsed.message} (at ${parsed.position})` });
  }),
);
/** Null shows the item to all visitors. */
const Condition = v.nullable(ConditionText);

const SectionTitle = textSchema(2, 128);

export const NewSiteSection = v.strictObject({
  spaceId: Id,
  title: v.optional(v.nullable(SectionTitle)),
  icon: v.optional(Icon),
});

export const SiteSectionChanges = v.strictObject({
  title: v.optional(SectionTitle),
  path: v.optional(UrlName),
  defaultSiteSpace: v.optional(Id),
  condition: v.optional(Condition),
  icon: v.optional(Icon),
  description: v.optional(v.nullable(textSchema(1, 256))),
});

const linkEntries = {
  description: v.optional(v.nullable(textSchema(1, 256))),
  icon: v.optional(Icon),
  draft: v.optional(v.boolean("Expected true or false")),
  condition: v.optional(Condition),
  parent: v.optional(v.nullable(Id)),
};

export const NewSiteExternalLink = v.strictObject({ title: SectionTitle, url: WebUrl, ...linkEntries });

export const SiteExternalLinkChanges = v.strictObject({
  title: v.optional(SectionTitle),
  url: v.optional(WebUrl),
  ...linkEntries,
});

export const NewSiteSpace = v.strictObject({ spaceId: Id, sectionId: v.optional(Id) });

export const SiteSpaceChanges = v.strictObject({
  path: v.optional(UrlName),
  condition: v.optional(Condition),
  spaceId: v.optional(Id),
});

const GroupTitle = textSchema(1, 100);

export const NewSiteSectionGroup = v.strictObject({
  title: GroupTitle,
  icon: v.optional(Icon),
  sections: v.optional(listSchema(Id, MAX_SIBLINGS, `Expected at most ${MAX_SIBLINGS} sections`)),
});

export const SiteSectionGroupChanges = v.strictObject({ title: v.optional(GroupTitle), icon: v.optional(Icon) });

export const GroupedSection = v.strictObject({ sectionId: Id });

/** Creates the schema of a position: exactly one neighbor, before or after. */
function createPositionSchema<Pointer extends v.GenericSchema>(pointer: Pointer) {
  return v.pipe(
    v.strictObject({ before: v.optional(pointer), after: v.optional(pointer) }),
    v.check(({ before, after }) => (before === undefined) !== (after === undefined), "Expected either before or after"),
  );
}

const SectionPointer = v.strictObject({ type: v.literal("site-section"), siteSection: Id });
const SiteSpacePointer = v.strictObject({ type: v.literal("site-space"), siteSpace: Id });
const topItemTypes = ["site-section", "site-section-group", "site-external-link"] as const;
const TopPointer = v.strictObject({
  type: v.picklist(topItemTypes, `Expected one of ${topItemTypes.join(", ")}`),
  id: Id,
});
const itemTypes = [...topItemTypes, "site-space"] as const;
const ItemPointer = v.strictObject({
  type: v.picklist(itemTypes, `Expected one of ${itemTypes.join(", ")}`),
  id: Id,
});

export const SiteSectionMove = v.strictObject({ position: createPositionSchema(SectionPointer) });
export const SiteSpaceMove = v.strictObject({ position: createPositionSchema(SiteSpacePointer) });
export const SiteSectionGroupMove = v.strictObject({ position: createPositionSchema(TopPointer) });
export const SiteStructureSort = v.strictObject({ item: ItemPointer, position: createPositionSchema(ItemPointer) });
