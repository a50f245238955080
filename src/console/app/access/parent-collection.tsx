// Moves a space or a collection to another collection, or transfers it to another organization.

import { useState } from "preact/hooks";
import { useCompleteList } from "../api/complete-list";
import { runMutation, useAction } from "../api/mutations";
import { Choice } from "../components/field";
import { Form } from "../components/form";
import { useMessages } from "../messages/messages";
import type { LibraryItem } from "./gather-access";

export function ParentCollection({
  organization,
  thing,
  parent,
}: {
  readonly organization: string;
  readonly thing: LibraryItem;
  readonly parent: string | undefined;
}) {
  const messages = useMessages();
  const collections = useCompleteList("listCollections", { params: { organizationId: organization } });
  const [to, setTo] = useState(parent ?? "");
  const moving = useAction(() => {
    const body = { parent: to === "" ? null : to };
    return thing.kind === "space"
      ? runMutation("moveSpace", { params: { spaceId: thing.id }, body })
      : runMutation("moveCollection", { params: { collectionId: thing.id }, body });
  });
  const offered = collections.filter(({ id, permissions }) => id !== thing.id && (permissions.create || id === parent));
  return (
    <section>
      <h2>{messages.spaceSettings.place}</h2>
      <Form action={moving} submit={messages.spaceSettings.move} done={messages.general.saved}>
        <Choice
          label={messages.spaceSettings.inCollection}
          value={to}
          onChange={setTo}
          options={[["", messages.spaceSettings.atTheTop], ...offered.map(({ id, title }) => [id, title] as const)]}
        />
      </Form>
    </section>
  );
}

export function Transfer({
  organization,
  thing,
  isUnderWay,
}: {
  readonly organization: string;
  readonly thing: LibraryItem;
  readonly isUnderWay: boolean;
}) {
  const messages = useMessages();
  const organizations = useCompleteList("listOrganizations", {});
  const [to, setTo] = useState("");
  const bring = useAction(async () => {
    if (to === "") return;
    await (thing.kind === "space"
      ? runMutation("transferSpace", { params: { spaceId: thing.id }, body: { organization: to } })
      : runMutation("transferCollection", { params: { collectionId: thing.id }, body: { organization: to } }));
  });
  const others = organizations.filter(({ id, permissions }) => id !== organization && permissions.createContent);
  if (others.length === 0 && !isUnderWay) return null;
  return (
    <section>
      <h2>{messages.spaceSettings.transfer}</h2>
      <p>{isUnderWay ? messages.spaceSettings.transferring : messages.spaceSettings.transferWhy}</p>
      {!isUnderWay && (
        <Form action={bring} submit={messages.spaceSettings.transfer} isDanger>
          <Choice
            label={messages.spaceSettings.transferTo}
            value={to}
            onChange={setTo}
            options={[["", "—"], ...others.map(({ id, title }) => [id, title] as const)]}
          />
        </Form>
      )}
    </section>
  );
}
