// Edits an item of a site: its title, its path or URL, and its visibility.

import { omitUndefined } from "../../../../utils/objects";
import { useCompleteList } from "../../api/complete-list";
import { useFields } from "../../api/fields";
import { runMutation, useAction } from "../../api/mutations";
import { useQuery } from "../../api/queries";
import { Dialog } from "../../components/dialog";
import { Check, Choice, TextField } from "../../components/field";
import { Form } from "../../components/form";
import { useMessages } from "../../messages/messages";
import type { OpenSite } from "../site-layout";
import type { StructureItem } from "./structure-rows";

export function EditItem({
  organization,
  params,
  item,
  onClose,
}: {
  readonly organization: string;
  readonly params: OpenSite["params"];
  readonly item: StructureItem;
  readonly onClose: () => void;
}) {
  const messages = useMessages();
  const { values, fields } = useFields({
    title: item.title,
    path: "path" in item ? item.path : "",
    icon: "icon" in item ? (item.icon ?? "") : "",
    description: "description" in item ? (item.description ?? "") : "",
    condition: "condition" in item ? (item.condition ?? "") : "",
    space: item.object === "site-space" ? item.space.id : "",
    url: item.object === "site-external-link" ? item.url : "",
    draft: item.object === "site-external-link" && item.draft,
  });
  const others = useCompleteList(
    "listSpaces",
    item.object === "site-space" ? { params: { organizationId: organization } } : undefined,
  );
  const save = useAction(async () => {
    const { title, path, space, url, draft } = values;
    const icon = values.icon.trim() || null;
    const description = values.description.trim() || null;
    const condition = values.condition.trim() || null;
    if (item.object === "site-section-group")
      await runMutation("updateSiteSectionGroup", {
        params: { ...params, siteSectionGroupId: item.id },
        body: { title, icon },
      });
    else if (item.object === "site-section")
      await runMutation("updateSiteSection", {
        params: { ...params, siteSectionId: item.id },
        body: { title, path, icon, description, condition },
      });
    else if (item.object === "site-external-link")
      await runMutation("updateSiteExternalLink", {
        params: { ...params, siteExternalLinkId: item.id },
        body: { title, url, icon, description, condition, draft },
      });
    else
      await runMutation("updateSiteSpace", {
        params: { ...params, siteSpaceId: item.id },
        body: {
          path,
          condition,
          ...omitUndefined({ spaceId: space === item.space.id ? undefined : space }),
        },
      });
    onClose();
  });
  return (
    <Dialog title={item.title} onClose={onClose}>
      <Form action={save} submit={messages.general.save} onCancel={onClose}>
        {item.object === "site-space" ? (
          <Choice
            label={messages.site.space}
            {...fields.space}
            options={[
              [item.space.id, item.space.title],
              ...others.filter(({ id }) => id !== item.space.id).map((it) => [it.id, it.title] as const),
            ]}
          />
        ) : (
          <TextField label={messages.general.title} {...fields.title} required autoFocus maxLength={128} />
        )}
        {item.object === "site-external-link" && (
          <TextField label={messages.redirects.targetUrl} {...fields.url} required />
        )}
        {"path" in item && (
          <TextField label={messages.site.path} hint={messages.site.pathHint} {...fields.path} required />
        )}
        {item.object !== "site-space" && (
          <TextField label={messages.editor.icon} hint={messages.site.sectionIconHint} {...fields.icon} />
        )}
        {(item.object === "site-section" || item.object === "site-external-link") && (
          <TextField label={messages.editor.description} {...fields.description} rows={2} />
        )}
        {item.object !== "site-section-group" && <ConditionField params={params} {...fields.condition} />}
        {item.object === "site-external-link" && (
          <Check label={messages.changeRequests.statusDraft} hint={messages.site.draftLinkHint} {...fields.draft} />
        )}
      </Form>
    </Dialog>
  );
}

/** A field for the condition of an item: an expression over the attributes of a visitor, with suggestions from the schema. */
export function ConditionField({
  params,
  value,
  onChange,
}: {
  readonly params: OpenSite["params"];
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const messages = useMessages();
  const suggested = useQuery("listTemplateConditions", { params });
  const items = suggested.state === "loaded" ? suggested.value.items : [];
  return (
    <>
      <TextField
        label={messages.editor.condition}
        hint={messages.editor.conditionHint}
        value={value}
        onChange={onChange}
      />
      {items.length > 0 && (
        <Choice
          label={messages.site.suggestedConditions}
          value=""
          onChange={(chosen) => chosen !== "" && onChange(chosen)}
          options={[["", "—"], ...items.map((it) => [it.condition, it.description] as const)]}
        />
      )}
    </>
  );
}
