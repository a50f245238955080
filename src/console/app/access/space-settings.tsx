// The settings of a space: its title, icon and edit mode, its parent, and its deletion.

import { Fragment } from "preact";
import { useLocation } from "preact-iso/router";
import type { Space, SpaceVisibility } from "../../../generated/resources";
import { formatMessage } from "../../../locales/format-message";
import { useFields } from "../api/fields";
import { runMutation, useAction } from "../api/mutations";
import { Button } from "../components/button";
import { Confirm } from "../components/confirm";
import { EmojiField } from "../components/emoji-field";
import { Choice, TextField } from "../components/field";
import { Form } from "../components/form";
import { ActionError } from "../components/loaded";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { getVisibilityLabels } from "../sites/visibility";
import { LibraryItemPage } from "./library-item-page";
import { ParentCollection, Transfer } from "./parent-collection";

export function SpaceSettings({ organization, space }: { readonly organization: string; readonly space: string }) {
  const messages = useMessages();
  const { route } = useLocation();
  const params = { spaceId: space };
  const thing = { kind: "space", id: space } as const;
  const copy = useAction(async () => {
    const { id } = await runMutation("duplicateSpace", { params });
    route(addresses.space(organization, id));
  });
  return (
    <LibraryItemPage organization={organization} thing={thing}>
      {(it) =>
        it.object === "space" && it.permissions.admin ? (
          <Fragment key={it.id}>
            {/* Its place decides what it can be. */}
            <SpaceSettingsForm key={it.parent ?? ""} it={it} />
            <ParentCollection organization={organization} thing={thing} parent={it.parent} />
            <section>
              <h2>{messages.spaceSettings.duplicate}</h2>
              <p>{messages.spaceSettings.duplicateWhy}</p>
              <ActionError error={copy.error} />
              <Button action={copy}>{messages.spaceSettings.duplicate}</Button>
            </section>
            <Transfer organization={organization} thing={thing} isUnderWay={it.transfer !== undefined} />
            <section>
              <Confirm
                label={messages.spaceSettings.deleteSpace}
                question={formatMessage(messages.spaceSettings.deleteSpaceWhy, { title: it.title })}
                act={async () => {
                  await runMutation("deleteSpace", { params });
                  route(addresses.organization(organization));
                }}
              />
            </section>
          </Fragment>
        ) : (
          <p class="empty">{messages.people.onlyAdmins}</p>
        )
      }
    </LibraryItemPage>
  );
}

function SpaceSettingsForm({ it }: { readonly it: Space }) {
  const messages = useMessages();
  const { values, fields } = useFields({
    title: it.title,
    emoji: it.emoji,
    icon: it.icon ?? "",
    language: (it.language ?? "") as NonNullable<Space["language"]> | "",
    visibility: it.visibility,
    editMode: it.editMode,
  });
  const saving = useAction(() => {
    const { emoji, icon, language, ...others } = values;
    return runMutation("updateSpace", {
      params: { spaceId: it.id },
      body: { ...others, emoji: emoji || null, icon: icon || null, language: language || null },
    });
  });
  return (
    <Form action={saving} submit={messages.general.save}>
      <TextField label={messages.general.title} {...fields.title} required maxLength={50} />
      <EmojiField hint={messages.spaceSettings.emojiHint} {...fields.emoji} />
      <TextField label={messages.editor.icon} hint={messages.spaceSettings.iconHint} {...fields.icon} maxLength={50} />
      <TextField
        label={messages.layout.language}
        hint={messages.spaceSettings.languageHint}
        value={values.language}
        // The API validates the language.
        onChange={(language) => fields.language.onChange(language as typeof values.language)}
        maxLength={20}
      />
      <Choice
        label={messages.spaceSettings.visibility}
        {...fields.visibility}
        options={[
          ["private", messages.spaceSettings.visibilityPrivate],
          ...(it.parent !== undefined
            ? [["in-collection", messages.spaceSettings.visibilityInCollection] as const]
            : []),
          ...(Object.entries(getVisibilityLabels(messages)) as [SpaceVisibility, string][]),
        ]}
      />
      <Choice
        label={messages.spaceSettings.editMode}
        {...fields.editMode}
        options={[
          ["live", messages.spaceSettings.editModeLive],
          ["locked", messages.spaceSettings.editModeLocked],
        ]}
      />
    </Form>
  );
}
