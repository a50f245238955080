// The variables of a space, which its pages refer to by name.

import { useFields } from "../api/fields";
import { useAction } from "../api/mutations";
import { useQuery } from "../api/queries";
import { ActionButton } from "../components/action-button";
import { TextField } from "../components/field";
import { Form } from "../components/form";
import { Loaded } from "../components/loaded";
import { PageHead } from "../components/page-head";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { applyChanges, type ContentPlace } from "./content-place";

export function Variables(place: ContentPlace) {
  const messages = useMessages();
  const params = { spaceId: place.space };
  const space = useQuery("getSpace", { params });
  const { values, fields, set } = useFields({ name: "", value: "" });
  const setVariable = (name: string, value: string | null) =>
    applyChanges(place, [{ operation: "set_variables", variables: { [name]: value } }]);
  const save = useAction(async () => {
    await setVariable(values.name, values.value);
    set({ name: "", value: "" });
  });
  const content = useQuery("getContent", { params, query: { metadata: "false", computed: "false" } });
  return (
    <Loaded of={space}>
      {({ title, permissions, editMode }) => {
        const mayEdit = permissions.edit && editMode === "live";
        return (
          <div class="page">
            <PageHead
              title={messages.variables.variables}
              above={[
                [messages.layout.library, addresses.organization(place.organization)],
                [title, addresses.space(place.organization, place.space)],
              ]}
            />
            <p>{messages.variables.variablesWhy}</p>
            <Loaded of={content}>
              {({ variables }) => (
                <>
                  {Object.keys(variables).length === 0 && <p class="empty">{messages.variables.noVariables}</p>}
                  <ul class="rows">
                    {Object.entries(variables).map(([name, value]) => (
                      <li key={name}>
                        <div>
                          <span>
                            <strong>
                              <code>{name}</code>
                            </strong>
                            <br />
                            <bdi>{String(value)}</bdi>
                          </span>
                          {mayEdit && (
                            <ActionButton kind="quiet" act={() => setVariable(name, null)}>
                              {messages.general.delete}
                            </ActionButton>
                          )}
                        </div>
                      </li>
                    ))}
                  </ul>
                </>
              )}
            </Loaded>
            {/* An existing name gets the new value. */}
            {mayEdit && (
              <Form action={save} submit={messages.general.save}>
                <TextField label={messages.variables.variableName} {...fields.name} required />
                <TextField label={messages.variables.variableValue} {...fields.value} />
              </Form>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}
