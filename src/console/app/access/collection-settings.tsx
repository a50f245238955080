// The settings of a collection: how it is called, where it stands, and its end.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { Collection } from "../../../generated/resources";
import { useSaving } from "../calls/saving";
import { write } from "../calls/writes";
import { Confirm } from "../parts/confirm";
import { TextField } from "../parts/field";
import { Form } from "../parts/form";
import { addresses } from "../routes";
import { filled, useWords } from "../words/words";
import { InThing } from "./in-thing";
import { PlaceOf, Transfer } from "./place-of";

export function CollectionSettings({
  organization,
  collection,
}: {
  readonly organization: string;
  readonly collection: string;
}) {
  const words = useWords();
  return (
    <InThing organization={organization} thing={{ kind: "collection", id: collection }}>
      {(it) =>
        it.object === "collection" && it.permissions.admin ? (
          <Opened key={it.id} organization={organization} it={it} />
        ) : (
          <p class="empty">{words.onlyAdmins}</p>
        )
      }
    </InThing>
  );
}

function Opened({ organization, it }: { readonly organization: string; readonly it: Collection }) {
  const words = useWords();
  const { route } = useLocation();
  const params = { collectionId: it.id };
  const thing = { kind: "collection", id: it.id } as const;
  const [title, setTitle] = useState(it.title);
  const [description, setDescription] = useState(it.description ?? "");
  const saving = useSaving(() =>
    write("updateCollection", { params, body: { title, description: description === "" ? null : description } }),
  );
  const { changing } = saving;
  return (
    <>
      <Form action={saving} submit={words.save} done={saving.done}>
        <TextField label={words.title} value={title} onInput={changing(setTitle)} required maxLength={50} />
        <TextField label={words.description} value={description} onInput={changing(setDescription)} maxLength={100} />
      </Form>
      <PlaceOf organization={organization} thing={thing} parent={it.parent} />
      <Transfer organization={organization} thing={thing} isUnderWay={it.transfer !== undefined} />
      <section>
        <Confirm
          label={words.deleteCollection}
          question={filled(words.deleteCollectionWhy, { title: it.title })}
          act={async () => {
            await write("deleteCollection", { params });
            route(addresses.organization(organization));
          }}
        />
      </section>
    </>
  );
}
