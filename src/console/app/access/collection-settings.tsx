// The settings of a collection: its title, its parent, and its deletion.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { Collection } from "../../../generated/resources";
import { runMutation } from "../api/mutations";
import { useSaveAction } from "../api/save-action";
import { Confirm } from "../components/confirm";
import { TextField } from "../components/field";
import { Form } from "../components/form";
import { fillMessage, useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { LibraryItemPage } from "./library-item-page";
import { ParentCollection, Transfer } from "./parent-collection";

export function CollectionSettings({
  organization,
  collection,
}: {
  readonly organization: string;
  readonly collection: string;
}) {
  const messages = useMessages();
  return (
    <LibraryItemPage organization={organization} thing={{ kind: "collection", id: collection }}>
      {(it) =>
        it.object === "collection" && it.permissions.admin ? (
          <CollectionSettingsForm key={it.id} organization={organization} it={it} />
        ) : (
          <p class="empty">{messages.onlyAdmins}</p>
        )
      }
    </LibraryItemPage>
  );
}

function CollectionSettingsForm({ organization, it }: { readonly organization: string; readonly it: Collection }) {
  const messages = useMessages();
  const { route } = useLocation();
  const params = { collectionId: it.id };
  const thing = { kind: "collection", id: it.id } as const;
  const [title, setTitle] = useState(it.title);
  const [description, setDescription] = useState(it.description ?? "");
  const saving = useSaveAction(() =>
    runMutation("updateCollection", { params, body: { title, description: description === "" ? null : description } }),
  );
  const { changing } = saving;
  return (
    <>
      <Form action={saving} submit={messages.save} done={saving.done}>
        <TextField label={messages.title} value={title} onInput={changing(setTitle)} required maxLength={50} />
        <TextField
          label={messages.description}
          value={description}
          onInput={changing(setDescription)}
          maxLength={100}
        />
      </Form>
      <ParentCollection organization={organization} thing={thing} parent={it.parent} />
      <Transfer organization={organization} thing={thing} isUnderWay={it.transfer !== undefined} />
      <section>
        <Confirm
          label={messages.deleteCollection}
          question={fillMessage(messages.deleteCollectionWhy, { title: it.title })}
          act={async () => {
            await runMutation("deleteCollection", { params });
            route(addresses.organization(organization));
          }}
        />
      </section>
    </>
  );
}
