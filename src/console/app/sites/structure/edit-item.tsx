// The settings of a part of a site: its name, its path, and who sees it.

import { useState } from "preact/hooks";
import { omitUndefined } from "../../../../utils/objects";
import { useList, useRead } from "../../calls/reads";
import { useAction, write } from "../../calls/writes";
import { Dialog } from "../../parts/dialog";
import { Choice, TextField } from "../../parts/field";
import { Form } from "../../parts/form";
import { useWords } from "../../words/words";
import type { OpenSite } from "../in-site";
import type { Item } from "./rows";

export function EditItem({
  organization,
  params,
  item,
  onClose,
}: {
  readonly organization: string;
  readonly params: OpenSite["params"];
  readonly item: Item;
  readonly onClose: () => void;
}) {
  const words = useWords();
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
      await write("updateSiteSectionGroup", {
        params: { ...params, siteSectionGroupId: item.id },
        body: { title, icon: orNone(icon) },
      });
    else if (item.object === "site-section")
      await write("updateSiteSection", {
        params: { ...params, siteSectionId: item.id },
        body: { title, path, icon: orNone(icon), description: orNone(description), condition: orNone(condition) },
      });
    else
      await write("updateSiteSpace", {
        params: { ...params, siteSpaceId: item.id },
        body: {
          path,
          condition: orNone(condition),
          ...omitUndefined({ spaceId: space === item.space.id ? undefined : space }),
        },
      });
    onClose();
  });
  const others = spaces.reading.state === "had" ? spaces.reading.value : [];
  return (
    <Dialog title={item.title} onClose={onClose}>
      <Form action={save} submit={words.save} onCancel={onClose}>
        {item.object === "site-space" ? (
          <Choice
            label={words.space}
            value={space}
            onChange={setSpace}
            options={[
              [item.space.id, item.space.title],
              ...others.filter(({ id }) => id !== item.space.id).map((it) => [it.id, it.title] as const),
            ]}
          />
        ) : (
          <TextField label={words.title} value={title} onInput={setTitle} required autoFocus maxLength={128} />
        )}
        {item.object !== "site-section-group" && (
          <TextField label={words.path} hint={words.pathHint} value={path} onInput={setPath} required />
        )}
        {item.object !== "site-space" && (
          <TextField label={words.icon} hint={words.sectionIconHint} value={icon} onInput={setIcon} />
        )}
        {item.object === "site-section" && (
          <TextField label={words.description} value={description} onInput={setDescription} rows={2} />
        )}
        {item.object !== "site-section-group" && (
          <ConditionField params={params} value={condition} onInput={setCondition} />
        )}
      </Form>
    </Dialog>
  );
}

const orNone = (text: string) => (text.trim() === "" ? null : text.trim());

/** Who sees something: an expression over what is known of a visitor, with what the schema of the site suggests. */
export function ConditionField({
  params,
  value,
  onInput,
}: {
  readonly params: OpenSite["params"];
  readonly value: string;
  readonly onInput: (value: string) => void;
}) {
  const words = useWords();
  const suggested = useRead("listTemplateConditions", { params });
  const items = suggested.state === "had" ? suggested.value.items : [];
  return (
    <>
      <TextField label={words.condition} hint={words.conditionHint} value={value} onInput={onInput} />
      {items.length > 0 && (
        <Choice
          label={words.suggestedConditions}
          value=""
          onChange={(chosen) => chosen !== "" && onInput(chosen)}
          options={[["", "—"], ...items.map((it) => [it.condition, it.description] as const)]}
        />
      )}
    </>
  );
}
