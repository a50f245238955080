// The fields for the source of a specification: a URL that is polled, or a file.

import { type BoundFields, bindFields } from "../api/fields";
import { Choice, TextField } from "../components/field";
import { FileField } from "../components/file-field";
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

export function SourceFields({ value, onChange }: BoundFields<{ source: SpecSourceFields }>["source"]) {
  const messages = useMessages();
  const fields = bindFields(value, onChange);
  return (
    <>
      <Choice
        label={messages.specifications.specSource}
        {...fields.kind}
        options={[
          ["url", messages.specifications.specFromAddress],
          ["text", messages.specifications.specFromFile],
        ]}
      />
      {value.kind === "url" ? (
        <TextField
          label={messages.imports.address}
          hint={messages.specifications.specAddressHint}
          type="url"
          {...fields.url}
          placeholder={SAMPLE}
          required
        />
      ) : (
        <>
          <FileField
            label={messages.changeRequests.file}
            accept=".json,.yaml,.yml,application/json"
            onChange={([file]) => {
              if (file) void file.text().then((text) => onChange({ ...value, text, name: file.name }));
            }}
          />
          <TextField label={messages.specifications.specText} {...fields.text} rows={8} isCode required />
        </>
      )}
    </>
  );
}
