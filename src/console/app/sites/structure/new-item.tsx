// Adds an item to the structure of a site: a space, a section with its first space, a group of sections, or an external link.

import type { SiteStructure } from "../../../../generated/resources";
import { omitUndefined } from "../../../../utils/objects";
import { useFields } from "../../api/fields";
import { runMutation, useAction } from "../../api/mutations";
import { useList } from "../../api/queries";
import { Dialog } from "../../components/dialog";
import { Choice, TextField } from "../../components/field";
import { Form } from "../../components/form";
import { useMessages } from "../../messages/messages";
import type { OpenSite } from "../site-layout";
import { collectSections, collectSiteSpaces } from "./structure-rows";

export type NewItemKind = "space" | "section" | "group" | "link";

export function NewItem({
  organization,
  params,
  structure,
  kind,
  onClose,
}: {
  readonly organization: string;
  readonly params: OpenSite["params"];
  readonly structure: SiteStructure;
  readonly kind: NewItemKind;
  readonly onClose: () => void;
}) {
  const messages = useMessages();
  const { reading } = useList("listSpaces", { params: { organizationId: organization } });
  const sections = collectSections(structure);
  const { values, fields } = useFields({ space: "", section: sections[0]?.id ?? "", title: "", url: "" });
  const make = useAction(async () => {
    const { space, section, title, url } = values;
    if (kind === "group") await runMutation("createSiteSectionGroup", { params, body: { title } });
    else if (kind === "link") await runMutation("createSiteExternalLink", { params, body: { title, url } });
    else if (kind === "section")
      await runMutation("createSiteSection", {
        params,
        body: { spaceId: space, ...omitUndefined({ title: title.trim() === "" ? undefined : title }) },
      });
    else
      await runMutation("createSiteSpace", {
        params,
        body: { spaceId: space, ...omitUndefined({ sectionId: section === "" ? undefined : section }) },
      });
    onClose();
  });
  // A space can be on a site only once.
  const taken = new Set(collectSiteSpaces(structure).map((it) => it.space.id));
  const spaces = reading.state === "loaded" ? reading.value.filter(({ id }) => !taken.has(id)) : [];
  const name = {
    space: messages.sites.addSpace,
    section: messages.site.newSection,
    group: messages.site.newSectionGroup,
    link: messages.site.newExternalLink,
  }[kind];
  return (
    <Dialog title={name} onClose={onClose}>
      <Form action={make} submit={messages.people.add} onCancel={onClose}>
        {kind !== "space" && (
          <TextField
            label={messages.general.title}
            hint={kind === "section" ? messages.site.sectionTitleHint : undefined}
            {...fields.title}
            required={kind === "group" || kind === "link"}
            autoFocus
            maxLength={128}
          />
        )}
        {kind === "link" && <TextField label={messages.redirects.targetUrl} {...fields.url} required />}
        {(kind === "space" || kind === "section") && (
          <Choice
            label={messages.site.space}
            hint={reading.state === "loaded" && spaces.length === 0 ? messages.site.noSpaceLeft : undefined}
            {...fields.space}
            required
            options={[["", "—"], ...spaces.map((it) => [it.id, it.title] as const)]}
          />
        )}
        {kind === "space" && sections.length > 0 && (
          <Choice
            label={messages.site.section}
            {...fields.section}
            options={sections.map((it) => [it.id, it.title] as const)}
          />
        )}
      </Form>
    </Dialog>
  );
}
