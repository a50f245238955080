// The settings of a space: its title, icon and edit mode, its parent, and its deletion.

import { Fragment } from "preact";
import { useLocation } from "preact-iso/router";
import type { Space } from "../../../generated/resources";
import { omitUndefined } from "../../../utils/objects";
import { runMutation, useAction } from "../api/api";
import { useFields } from "../api/fields";
import { Button } from "../components/button";
import { Confirm } from "../components/confirm";
import { Choice, Form, TextField } from "../components/fields";
import { ActionError } from "../components/page";
import { fillMessage, useMessages } from "../messages/messages";
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
              <h2>{messages.duplicate}</h2>
              <p>{messages.duplicateWhy}</p>
              <ActionError error={copy.error} />
              <Button action={copy}>{messages.duplicate}</Button>
            </section>
            <Transfer organization={organization} thing={thing} isUnderWay={it.transfer !== undefined} />
            <section>
              <Confirm
                label={messages.deleteSpace}
                question={fillMessage(messages.deleteSpaceWhy, { title: it.title })}
                act={async () => {
                  await runMutation("deleteSpace", { params });
                  route(addresses.organization(organization));
                }}
              />
            </section>
          </Fragment>
        ) : (
          <p class="empty">{messages.onlyAdmins}</p>
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
    <Form action={saving} submit={messages.save}>
      <TextField label={messages.title} {...fields.title} required maxLength={50} />
      <TextField label={messages.emoji} hint={messages.emojiHint} {...fields.emoji} maxLength={50} />
      <TextField label={messages.icon} hint={messages.iconHint} {...fields.icon} maxLength={50} />
      <TextField
        label={messages.language}
        hint={messages.languageHint}
        value={values.language}
        // The API validates the language.
        onChange={(language) => fields.language.onChange(language as typeof values.language)}
        maxLength={20}
      />
      <Choice
        label={messages.visibility}
        {...fields.visibility}
        options={{
          private: messages.visibilityPrivate,
          ...omitUndefined({ "in-collection": it.parent && messages.visibilityInCollection }),
          ...getVisibilityLabels(messages),
        }}
      />
      <Choice
        label={messages.editMode}
        {...fields.editMode}
        options={{ live: messages.editModeLive, locked: messages.editModeLocked }}
      />
    </Form>
  );
}
