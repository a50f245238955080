// The variables of a space: values that its pages show by name.

import { useState } from "preact/hooks";
import { useRead } from "../calls/reads";
import { useAction } from "../calls/writes";
import { Button } from "../parts/button";
import { TextField } from "../parts/field";
import { Form } from "../parts/form";
import { PageHead } from "../parts/page-head";
import { Problem, Shown } from "../parts/shown";
import { addresses } from "../routes";
import { useWords } from "../words/words";
import { change, type Place } from "./place";

export function Variables(place: Place) {
  const words = useWords();
  const params = { spaceId: place.space };
  const space = useRead("getSpace", { params });
  const content = useRead("getContent", { params, query: { metadata: "false", computed: "false" } });
  return (
    <Shown of={space}>
      {({ title, permissions, editMode }) => {
        const mayEdit = permissions.edit && editMode === "live";
        return (
          <div class="page">
            <PageHead
              title={words.variables}
              above={[
                [words.library, addresses.organization(place.organization)],
                [title, addresses.space(place.organization, place.space)],
              ]}
            />
            <p>{words.variablesWhy}</p>
            <Shown of={content}>
              {({ variables }) => (
                <>
                  {Object.keys(variables).length === 0 && <p class="empty">{words.noVariables}</p>}
                  <ul class="rows">
                    {Object.entries(variables).map(([name, value]) => (
                      <li key={name}>
                        <OneVariable place={place} name={name} value={String(value)} mayEdit={mayEdit} />
                      </li>
                    ))}
                  </ul>
                </>
              )}
            </Shown>
            {mayEdit && <NewVariable place={place} />}
          </div>
        );
      }}
    </Shown>
  );
}

function OneVariable({
  place,
  name,
  value,
  mayEdit,
}: {
  readonly place: Place;
  readonly name: string;
  readonly value: string;
  readonly mayEdit: boolean;
}) {
  const words = useWords();
  const remove = useAction(() => change(place, [{ operation: "set_variables", variables: { [name]: null } }]));
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
          {words.delete}
        </Button>
      )}
      <Problem error={remove.error} />
    </div>
  );
}

/** A name that is there already gets the new value. */
function NewVariable({ place }: { readonly place: Place }) {
  const words = useWords();
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const save = useAction(async () => {
    await change(place, [{ operation: "set_variables", variables: { [name]: value } }]);
    setName("");
    setValue("");
  });
  return (
    <Form action={save} submit={words.save}>
      <TextField label={words.variableName} value={name} onInput={setName} required />
      <TextField label={words.variableValue} value={value} onInput={setValue} />
    </Form>
  );
}
