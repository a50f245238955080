// The variables of a space, which its pages refer to by name.

import { useState } from "preact/hooks";
import { useAction } from "../api/mutations";
import { useQuery } from "../api/queries";
import { Button } from "../components/button";
import { TextField } from "../components/field";
import { Form } from "../components/form";
import { ActionError, Loaded } from "../components/loaded";
import { PageHead } from "../components/page-head";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { applyChanges, type ContentPlace } from "./content-place";

export function Variables(place: ContentPlace) {
  const messages = useMessages();
  const params = { spaceId: place.space };
  const space = useQuery("getSpace", { params });
  const content = useQuery("getContent", { params, query: { metadata: "false", computed: "false" } });
  return (
    <Loaded of={space}>
      {({ title, permissions, editMode }) => {
        const mayEdit = permissions.edit && editMode === "live";
        return (
          <div class="page">
            <PageHead
              title={messages.variables}
              above={[
                [messages.library, addresses.organization(place.organization)],
                [title, addresses.space(place.organization, place.space)],
              ]}
            />
            <p>{messages.variablesWhy}</p>
            <Loaded of={content}>
              {({ variables }) => (
                <>
                  {Object.keys(variables).length === 0 && <p class="empty">{messages.noVariables}</p>}
                  <ul class="rows">
                    {Object.entries(variables).map(([name, value]) => (
                      <li key={name}>
                        <VariableRow place={place} name={name} value={String(value)} mayEdit={mayEdit} />
                      </li>
                    ))}
                  </ul>
                </>
              )}
            </Loaded>
            {mayEdit && <NewVariable place={place} />}
          </div>
        );
      }}
    </Loaded>
  );
}

function VariableRow({
  place,
  name,
  value,
  mayEdit,
}: {
  readonly place: ContentPlace;
  readonly name: string;
  readonly value: string;
  readonly mayEdit: boolean;
}) {
  const messages = useMessages();
  const remove = useAction(() => applyChanges(place, [{ operation: "set_variables", variables: { [name]: null } }]));
  return (
    <div>
      <strong>
        <code>{name}</code>
      </strong>
      <span>
        <bdi>{value}</bdi>
      </span>
      {mayEdit && (
        <Button kind="quiet" isBusy={remove.isBusy} onClick={() => void remove.run()}>
          {messages.delete}
        </Button>
      )}
      <ActionError error={remove.error} />
    </div>
  );
}

/** An existing name gets the new value. */
function NewVariable({ place }: { readonly place: ContentPlace }) {
  const messages = useMessages();
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const save = useAction(async () => {
    await applyChanges(place, [{ operation: "set_variables", variables: { [name]: value } }]);
    setName("");
    setValue("");
  });
  return (
    <Form action={save} submit={messages.save}>
      <TextField label={messages.variableName} value={name} onInput={setName} required />
      <TextField label={messages.variableValue} value={value} onInput={setValue} />
    </Form>
  );
}
