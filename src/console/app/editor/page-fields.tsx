// The fields of a page beside its text. Title and description are above it, the others in a section that can be opened.

import { Check, TextField } from "../components/field";
import { useMessages } from "../messages/messages";
import type { PageFieldValues } from "./drafts";

export function PageFields({
  fields,
  onChange,
}: {
  readonly fields: PageFieldValues;
  readonly onChange: (fields: PageFieldValues) => void;
}) {
  const messages = useMessages();
  const set = (name: keyof PageFieldValues) => (value: string | boolean) => onChange({ ...fields, [name]: value });
  return (
    <div class="fields">
      <TextField label={messages.pageTitle} value={fields.title} onInput={set("title")} required maxLength={255} />
      <TextField label={messages.description} value={fields.description} onInput={set("description")} />
      <details>
        <summary>{messages.pageSettings}</summary>
        <div class="grid">
          <TextField label={messages.slug} value={fields.slug} onInput={set("slug")} required />
          <TextField label={messages.emoji} value={fields.emoji} onInput={set("emoji")} />
          <TextField label={messages.icon} value={fields.icon} onInput={set("icon")} />
          <TextField
            label={messages.condition}
            hint={messages.conditionHint}
            value={fields.condition}
            onInput={set("condition")}
          />
          <Check label={messages.hidden} checked={fields.hidden} onChange={set("hidden")} />
          <Check label={messages.noIndex} checked={fields.noIndex} onChange={set("noIndex")} />
        </div>
      </details>
    </div>
  );
}
