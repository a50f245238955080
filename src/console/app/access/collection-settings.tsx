// The settings of a collection: its title, its parent, and its deletion.

import { useLocation } from "preact-iso/router";
import type { Collection } from "../../../generated/resources";
import { formatMessage } from "../../../locales/format-message";
import { useFields } from "../api/fields";
import { runMutation, useAction } from "../api/mutations";
import { Confirm } from "../components/confirm";
import { TextField } from "../components/field";
import { Form } from "../components/form";
import { useMessages } from "../messages/messages";
import { addresses, type RouteParams } from "../routes";
import { LibraryItemPage } from "./library-item-page";
import { ParentCollection, Transfer } from "./parent-collection";

export function CollectionSettings({ organization, collection }: RouteParams<"organization" | "collection">) {
  const messages = useMessages();
  return (
    <LibraryItemPage organization={organization} thing={{ kind: "collection", id: collection }}>
      {(it) =>
        it.object === "collection" && it.permissions.admin ? (
          <CollectionSettingsForm key={it.id} organization={organization} it={it} />
        ) : (
          <p class="empty">{messages.people.onlyAdmins}</p>
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
  const { values, fields } = useFields({ title: it.title, description: it.description ?? "" });
  const saving = useAction(() =>
    runMutation("updateCollection", { params, body: { ...values, description: values.description || null } }),
  );
  return (
    <>
      <Form action={saving} submit={messages.general.save}>
        <TextField label={messages.general.title} {...fields.title} required maxLength={50} />
        <TextField label={messages.editor.description} {...fields.description} maxLength={100} />
      </Form>
      <ParentCollection organization={organization} thing={thing} parent={it.parent} />
      <Transfer organization={organization} thing={thing} isUnderWay={it.transfer !== undefined} />
      <section>
        <Confirm
          label={messages.spaceSettings.deleteCollection}
          question={formatMessage(messages.spaceSettings.deleteCollectionWhy, { title: it.title })}
          act={async () => {
            await runMutation("deleteCollection", { params });
            route(addresses.organization(organization));
          }}
        />
      </section>
    </>
  );
}
