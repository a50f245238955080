// Where a space or a collection stands: in which collection, and in which organization.

import { useState } from "preact/hooks";
import { useSaving } from "../calls/saving";
import { useWhole } from "../calls/whole";
import { useAction, write } from "../calls/writes";
import { Choice } from "../parts/field";
import { Form } from "../parts/form";
import { useWords } from "../words/words";
import type { Thing } from "./gather";

export function PlaceOf({
  organization,
  thing,
  parent,
}: {
  readonly organization: string;
  readonly thing: Thing;
  readonly parent: string | undefined;
}) {
  const words = useWords();
  const collections = useWhole("listCollections", { params: { organizationId: organization } });
  const [to, setTo] = useState(parent ?? "");
  const moving = useSaving(() => {
    const body = { parent: to === "" ? null : to };
    return thing.kind === "space"
      ? write("moveSpace", { params: { spaceId: thing.id }, body })
      : write("moveCollection", { params: { collectionId: thing.id }, body });
  });
  const offered = collections.filter(({ id, permissions }) => id !== thing.id && (permissions.create || id === parent));
  return (
    <section>
      <h2>{words.place}</h2>
      <Form action={moving} submit={words.move} done={moving.done}>
        <Choice
          label={words.inCollection}
          value={to}
          onChange={moving.changing(setTo)}
          options={[["", words.atTheTop], ...offered.map(({ id, title }) => [id, title] as const)]}
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
  readonly thing: Thing;
  readonly isUnderWay: boolean;
}) {
  const words = useWords();
  const organizations = useWhole("listOrganizations", {});
  const [to, setTo] = useState("");
  const bring = useAction(async () => {
    if (to === "") return;
    await (thing.kind === "space"
      ? write("transferSpace", { params: { spaceId: thing.id }, body: { organization: to } })
      : write("transferCollection", { params: { collectionId: thing.id }, body: { organization: to } }));
  });
  const others = organizations.filter(({ id, permissions }) => id !== organization && permissions.createContent);
  if (others.length === 0 && !isUnderWay) return null;
  return (
    <section>
      <h2>{words.transfer}</h2>
      <p>{isUnderWay ? words.transferring : words.transferWhy}</p>
      {!isUnderWay && (
        <Form action={bring} submit={words.transfer} isDanger>
          <Choice
            label={words.transferTo}
            value={to}
            onChange={setTo}
            options={[["", "—"], ...others.map(({ id, title }) => [id, title] as const)]}
          />
        </Form>
      )}
    </section>
  );
}
