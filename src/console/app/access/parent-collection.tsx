// Moves a space or a collection to another collection, or transfers it to another organization.

import { runMutation, useAction } from "../api/api";
import { useCompleteList } from "../api/complete-list";
import { toOptions, useField } from "../api/fields";
import { Choice, Form } from "../components/fields";
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
  const to = useField(parent ?? "");
  const moving = useAction(() => {
    const body = { parent: to.value === "" ? null : to.value };
    return thing.kind === "space"
      ? runMutation("moveSpace", { params: { spaceId: thing.id }, body })
      : runMutation("moveCollection", { params: { collectionId: thing.id }, body });
  });
  const offered = collections.filter(({ id, permissions }) => id !== thing.id && (permissions.create || id === parent));
  return (
    <section>
      <h2>{messages.place}</h2>
      <Form action={moving} submit={messages.move} done={messages.saved}>
        <Choice label={messages.inCollection} {...to} options={toOptions(offered, messages.atTheTop)} />
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
  const to = useField("");
  const bring = useAction(async () => {
    if (to.value === "") return;
    await (thing.kind === "space"
      ? runMutation("transferSpace", { params: { spaceId: thing.id }, body: { organization: to.value } })
      : runMutation("transferCollection", { params: { collectionId: thing.id }, body: { organization: to.value } }));
  });
  const others = organizations.filter(({ id, permissions }) => id !== organization && permissions.createContent);
  if (others.length === 0 && !isUnderWay) return null;
  return (
    <section>
      <h2>{messages.transfer}</h2>
      <p>{isUnderWay ? messages.transferring : messages.transferWhy}</p>
      {!isUnderWay && (
        <Form action={bring} submit={messages.transfer} isDanger>
          <Choice label={messages.transferTo} {...to} options={toOptions(others, "—")} />
        </Form>
      )}
    </section>
  );
}
