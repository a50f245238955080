// The settings of a space: its title, icon and edit mode, its parent, and its deletion.

import { Fragment } from "preact";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { Space, SpaceVisibility } from "../../../generated/resources";
import { runMutation, useAction } from "../api/mutations";
import { useSaveAction } from "../api/save-action";
import { Button } from "../components/button";
import { Confirm } from "../components/confirm";
import { Choice, TextField } from "../components/field";
import { Form } from "../components/form";
import { ActionError } from "../components/loaded";
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
              <Button isBusy={copy.isBusy} onClick={() => void copy.run()}>
                {messages.duplicate}
              </Button>
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
  const [title, setTitle] = useState(it.title);
  const [emoji, setEmoji] = useState(it.emoji);
  const [icon, setIcon] = useState(it.icon ?? "");
  const [language, setLanguage] = useState<string>(it.language ?? "");
  const [visibility, setVisibility] = useState<SpaceVisibility>(it.visibility);
  const [editMode, setEditMode] = useState<Space["editMode"]>(it.editMode);
  const saving = useSaveAction(() =>
    runMutation("updateSpace", {
      params: { spaceId: it.id },
      body: {
        title,
        emoji: emoji === "" ? null : emoji,
        icon: icon === "" ? null : icon,
        // The API validates the language.
        language: language === "" ? null : (language as NonNullable<Space["language"]>),
        visibility,
        editMode,
      },
    }),
  );
  const { changing } = saving;
  return (
    <Form action={saving} submit={messages.save} done={saving.done}>
      <TextField label={messages.title} value={title} onInput={changing(setTitle)} required maxLength={50} />
      <TextField
        label={messages.emoji}
        hint={messages.emojiHint}
        value={emoji}
        onInput={changing(setEmoji)}
        maxLength={50}
      />
      <TextField
        label={messages.icon}
        hint={messages.iconHint}
        value={icon}
        onInput={changing(setIcon)}
        maxLength={50}
      />
      <TextField
        label={messages.language}
        hint={messages.languageHint}
        value={language}
        onInput={changing(setLanguage)}
        maxLength={20}
      />
      <Choice
        label={messages.visibility}
        value={visibility}
        onChange={changing(setVisibility)}
        options={[
          ["private", messages.visibilityPrivate],
          ...(it.parent !== undefined ? [["in-collection", messages.visibilityInCollection] as const] : []),
          ...(Object.entries(getVisibilityLabels(messages)) as [SpaceVisibility, string][]),
        ]}
      />
      <Choice
        label={messages.editMode}
        value={editMode}
        onChange={changing(setEditMode)}
        options={[
          ["live", messages.editModeLive],
          ["locked", messages.editModeLocked],
        ]}
      />
    </Form>
  );
}
