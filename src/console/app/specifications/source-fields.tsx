// Where a specification comes from: an address that is looked at again from time to time, or a file.

import { useId } from "preact/hooks";
import { Choice, TextField } from "../parts/field";
import { useWords } from "../words/words";

export interface Source {
  readonly kind: "url" | "text";
  readonly url: string;
  readonly text: string;
  /** The name of the file that was chosen. */
  readonly name: string;
}

export const noSource: Source = { kind: "url", url: "", text: "", name: "" };

export function sourceBody({ kind, url, text }: Source): { url: string } | { text: string } {
  return kind === "url" ? { url: url.trim() } : { text };
}

export function SourceFields({
  value,
  onChange,
}: {
  readonly value: Source;
  readonly onChange: (source: Source) => void;
}) {
  const words = useWords();
  const id = useId();
  return (
    <>
      <Choice
        label={words.specSource}
        value={value.kind}
        onChange={(kind) => onChange({ ...value, kind })}
        options={[
          ["url", words.specFromAddress],
          ["text", words.specFromFile],
        ]}
      />
      {value.kind === "url" ? (
        <TextField
          label={words.address}
          hint={words.specAddressHint}
          type="url"
          value={value.url}
          onInput={(url) => onChange({ ...value, url })}
          placeholder="https://example.com/openapi.json"
          required
        />
      ) : (
        <>
          <div class="field">
            <label for={id}>{words.file}</label>
            <input
              id={id}
              type="file"
              accept=".json,.yaml,.yml,application/json"
              onChange={(event) => {
                const [file] = event.currentTarget.files ?? [];
                if (file) void file.text().then((text) => onChange({ ...value, text, name: file.name }));
              }}
            />
          </div>
          <TextField
            label={words.specText}
            value={value.text}
            onInput={(text) => onChange({ ...value, text })}
            rows={8}
            isCode
            required
          />
        </>
      )}
    </>
  );
}
