// Choosing a member of the organization: a search narrows what is offered.

import { useState } from "preact/hooks";
import { useList } from "../calls/reads";
import { Choice, TextField } from "../parts/field";
import { filled, useWords } from "../words/words";

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
  /** What stands there while nobody is chosen. */
  readonly none?: string;
}) {
  const words = useWords();
  const [search, setSearch] = useState("");
  const { reading, more } = useList("listMembers", {
    params: { organizationId: organization },
    query: search === "" ? {} : { search },
  });
  const found = reading.state === "had" ? reading.value.map(({ user }) => user) : [];
  const offered = found.some(({ id }) => id === value) || value === "" ? [] : [[value, value] as const];
  return (
    <>
      {(more !== undefined || search !== "") && (
        <TextField
          label={filled(words.searchFor, { what: label })}
          type="search"
          value={search}
          onInput={setSearch}
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
