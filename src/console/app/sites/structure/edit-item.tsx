// Edits an item of a site: its title, its path, and its visibility.

import { useState } from "preact/hooks";
import { omitUndefined } from "../../../../utils/objects";
import { runMutation, useAction } from "../../api/mutations";
import { useList, useQuery } from "../../api/queries";
import { Dialog } from "../../components/dialog";
import { Choice, TextField } from "../../components/field";
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
  const [title, setTitle] = useState(item.title);
  const [path, setPath] = useState("path" in item ? item.path : "");
  const [icon, setIcon] = useState("icon" in item ? (item.icon ?? "") : "");
  const [description, setDescription] = useState("description" in item ? (item.description ?? "") : "");
  const [condition, setCondition] = useState("condition" in item ? (item.condition ?? "") : "");
  const [space, setSpace] = useState(item.object === "site-space" ? item.space.id : "");
  const spaces = useList(
    "listSpaces",
    item.object === "site-space" ? { params: { organizationId: organization } } : undefined,
  );
  const save = useAction(async () => {
    if (item.object === "site-section-group")
      await runMutation("updateSiteSectionGroup", {
        params: { ...params, siteSectionGroupId: item.id },
        body: { title, icon: toNullIfBlank(icon) },
      });
    else if (item.object === "site-section")
      await runMutation("updateSiteSection", {
        params: { ...params, siteSectionId: item.id },
        body: {
          title,
          path,
          icon: toNullIfBlank(icon),
          description: toNullIfBlank(description),
          condition: toNullIfBlank(condition),
        },
      });
    else
      await runMutation("updateSiteSpace", {
        params: { ...params, siteSpaceId: item.id },
        body: {
          path,
          condition: toNullIfBlank(condition),
          ...omitUndefined({ spaceId: space === item.space.id ? undefined : space }),
        },
      });
    onClose();
  });
  const others = spaces.reading.state === "loaded" ? spaces.reading.value : [];
  return (
    <Dialog title={item.title} onClose={onClose}>
      <Form action={save} submit={messages.save} onCancel={onClose}>
        {item.object === "site-space" ? (
          <Choice
            label={messages.space}
            value={space}
            onChange={setSpace}
            options={[
              [item.space.id, item.space.title],
              ...others.filter(({ id }) => id !== item.space.id).map((it) => [it.id, it.title] as const),
            ]}
          />
        ) : (
          <TextField label={messages.title} value={title} onInput={setTitle} required autoFocus maxLength={128} />
        )}
        {item.object !== "site-section-group" && (
          <TextField label={messages.path} hint={messages.pathHint} value={path} onInput={setPath} required />
        )}
        {item.object !== "site-space" && (
          <TextField label={messages.icon} hint={messages.sectionIconHint} value={icon} onInput={setIcon} />
        )}
        {item.object === "site-section" && (
          <TextField label={messages.description} value={description} onInput={setDescription} rows={2} />
        )}
        {item.object !== "site-section-group" && (
          <ConditionField params={params} value={condition} onInput={setCondition} />
        )}
      </Form>
    </Dialog>
  );
}

const toNullIfBlank = (text: string) => (text.trim() === "" ? null : text.trim());

/** A field for the condition of an item: an expression over the attributes of a visitor, with suggestions from the schema. */
export function ConditionField({
  params,
  value,
  onInput,
}: {
  readonly params: OpenSite["params"];
  readonly value: string;
  readonly onInput: (value: string) => void;
}) {
  const messages = useMessages();
  const suggested = useQuery("listTemplateConditions", { params });
  const items = suggested.state === "loaded" ? suggested.value.items : [];
  return (
    <>
      <TextField label={messages.condition} hint={messages.conditionHint} value={value} onInput={onInput} />
      {items.length > 0 && (
        <Choice
          label={messages.suggestedConditions}
          value=""
          onChange={(chosen) => chosen !== "" && onInput(chosen)}
          options={[["", "—"], ...items.map((it) => [it.condition, it.description] as const)]}
        />
      )}
    </>
  );
}
