// A field that selects a member of the organization by a search.

import { useList } from "../api/api";
import { useField } from "../api/fields";
import { Choice, TextField } from "../components/fields";
import { fillMessage, useMessages } from "../messages/messages";

export function PersonField({
  organization,
  label,
  value,
  onChange,
  none = "—",
}: {
  readonly organization: string;
  readonly label: string;
  readonly value: string;
  readonly onChange: (user: string) => void;
  /** The placeholder while nobody is selected. */
  readonly none?: string;
}) {
  const messages = useMessages();
  const search = useField("");
  const { reading, more } = useList("listMembers", {
    params: { organizationId: organization },
    query: search.value === "" ? {} : { search: search.value },
  });
  const found = reading.state === "loaded" ? reading.value.map(({ user }) => user) : [];
  const offered = found.some(({ id }) => id === value) || value === "" ? [] : [[value, value] as const];
  return (
    <>
      {(more !== undefined || search.value !== "") && (
        <TextField label={fillMessage(messages.searchFor, { what: label })} type="search" {...search} maxLength={256} />
      )}
      <Choice
        label={label}
        value={value}
        onChange={onChange}
        options={[
          ["", none],
          ...offered,
          ...found.map(({ id, displayName, email }) => [id, `${displayName} · ${email}`] as const),
        ]}
      />
    </>
  );
}
