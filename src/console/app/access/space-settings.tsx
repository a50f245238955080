// The settings of a space: how it is called, marked and changed, where it stands, and its end.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { Space, SpaceVisibility } from "../../../generated/resources";
import { useSaving } from "../calls/saving";
import { useAction, write } from "../calls/writes";
import { Button } from "../parts/button";
import { Confirm } from "../parts/confirm";
import { Choice, TextField } from "../parts/field";
import { Form } from "../parts/form";
import { Problem } from "../parts/shown";
import { addresses } from "../routes";
import { visibilityWords } from "../sites/visibility";
import { filled, useWords, type Words } from "../words/words";
import { InThing } from "./in-thing";
import { PlaceOf, Transfer } from "./place-of";

export function SpaceSettings({ organization, space }: { readonly organization: string; readonly space: string }) {
  const words = useWords();
  return (
    <InThing organization={organization} thing={{ kind: "space", id: space }}>
      {(it) =>
        it.object === "space" && it.permissions.admin ? (
          <Opened key={it.id} organization={organization} it={it} />
        ) : (
          <p class="empty">{words.onlyAdmins}</p>
        )
      }
    </InThing>
  );
}

function Opened({ organization, it }: { readonly organization: string; readonly it: Space }) {
  const words = useWords();
  const { route } = useLocation();
  const params = { spaceId: it.id };
  const thing = { kind: "space", id: it.id } as const;
  const copy = useAction(async () => {
    const { id } = await write("duplicateSpace", { params });
    route(addresses.space(organization, id));
  });
  return (
    <>
      {/* Its place decides what it can be. */}
      <Fields key={it.parent ?? ""} it={it} />
      <PlaceOf organization={organization} thing={thing} parent={it.parent} />
      <section>
        <h2>{words.duplicate}</h2>
        <p>{words.duplicateWhy}</p>
        <Problem error={copy.error} />
        <Button isBusy={copy.isBusy} onClick={() => void copy.run()}>
          {words.duplicate}
        </Button>
      </section>
      <Transfer organization={organization} thing={thing} isUnderWay={it.transfer !== undefined} />
      <section>
        <Confirm
          label={words.deleteSpace}
          question={filled(words.deleteSpaceWhy, { title: it.title })}
          act={async () => {
            await write("deleteSpace", { params });
            route(addresses.organization(organization));
          }}
        />
      </section>
    </>
  );
}

function Fields({ it }: { readonly it: Space }) {
  const words = useWords();
  const [title, setTitle] = useState(it.title);
  const [emoji, setEmoji] = useState(it.emoji);
  const [icon, setIcon] = useState(it.icon ?? "");
  const [language, setLanguage] = useState<string>(it.language ?? "");
  const [visibility, setVisibility] = useState<SpaceVisibility>(it.visibility);
  const [editMode, setEditMode] = useState<Space["editMode"]>(it.editMode);
  const saving = useSaving(() =>
    write("updateSpace", {
      params: { spaceId: it.id },
      body: {
        title,
        emoji: emoji === "" ? null : emoji,
        icon: icon === "" ? null : icon,
        // The API says which languages there are.
        language: language === "" ? null : (language as NonNullable<Space["language"]>),
        visibility,
        editMode,
      },
    }),
  );
  const { changing } = saving;
  return (
    <Form action={saving} submit={words.save} done={saving.done}>
      <TextField label={words.title} value={title} onInput={changing(setTitle)} required maxLength={50} />
      <TextField label={words.emoji} hint={words.emojiHint} value={emoji} onInput={changing(setEmoji)} maxLength={50} />
      <TextField label={words.icon} hint={words.iconHint} value={icon} onInput={changing(setIcon)} maxLength={50} />
      <TextField
        label={words.language}
        hint={words.languageHint}
        value={language}
        onInput={changing(setLanguage)}
        maxLength={20}
      />
      <Choice
        label={words.visibility}
        value={visibility}
        onChange={changing(setVisibility)}
        options={visibilityOptions(words, it.parent !== undefined)}
      />
      <Choice
        label={words.editMode}
        value={editMode}
        onChange={changing(setEditMode)}
        options={[
          ["live", words.editModeLive],
          ["locked", words.editModeLocked],
        ]}
      />
    </Form>
  );
}

function visibilityOptions(words: Words, isInCollection: boolean): readonly (readonly [SpaceVisibility, string])[] {
  return [
    ["private", words.visibilityPrivate],
    ...(isInCollection ? [["in-collection", words.visibilityInCollection] as const] : []),
    ...(Object.entries(visibilityWords(words)) as [SpaceVisibility, string][]),
  ];
}
