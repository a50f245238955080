// The fields for the source of a specification: a URL that is polled, or a file.

import { useId } from "preact/hooks";
import { Choice, TextField } from "../components/field";
import { useMessages } from "../messages/messages";

const SAMPLE = "https://example.com/openapi.json";

export interface SpecSourceFields {
  readonly kind: "url" | "text";
  readonly url: string;
  readonly text: string;
  /** The name of the selected file. */
  readonly name: string;
}

export const noSource: SpecSourceFields = { kind: "url", url: "", text: "", name: "" };

export function SourceFields({
  value,
  onChange,
}: {
  readonly value: SpecSourceFields;
  readonly onChange: (source: SpecSourceFields) => void;
}) {
  const messages = useMessages();
  const id = useId();
  return (
    <>
      <Choice
        label={messages.specSource}
        value={value.kind}
        onChange={(kind) => onChange({ ...value, kind })}
        options={[
          ["url", messages.specFromAddress],
          ["text", messages.specFromFile],
        ]}
      />
      {value.kind === "url" ? (
        <TextField
          label={messages.address}
          hint={messages.specAddressHint}
          type="url"
          value={value.url}
          onInput={(url) => onChange({ ...value, url })}
          placeholder={SAMPLE}
          required
        />
      ) : (
        <>
          <div class="field">
            <label for={id}>{messages.file}</label>
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
            label={messages.specText}
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
