// A field that selects a member of the organization by a search.

import { useState } from "preact/hooks";
import { formatMessage } from "../../../locales/format-message";
import { useList } from "../api/queries";
import { Choice, TextField } from "../components/field";
import { useMessages } from "../messages/messages";

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
  const [search, setSearch] = useState("");
  const { reading, more } = useList("listMembers", {
    params: { organizationId: organization },
    query: search === "" ? {} : { search },
  });
  const found = reading.state === "loaded" ? reading.value.map(({ user }) => user) : [];
  const offered = found.some(({ id }) => id === value) || value === "" ? [] : [[value, value] as const];
  return (
    <>
      {(more !== undefined || search !== "") && (
        <TextField
          label={formatMessage(messages.organization.searchFor, { what: label })}
          type="search"
          value={search}
          onChange={setSearch}
          maxLength={256}
        />
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
