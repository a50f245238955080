// What a page has beside its text. Title and description stand above it, the rest is opened.

import { Check, TextField } from "../parts/field";
import { useWords } from "../words/words";
import type { Fields } from "./drafts";

export function PageFields({
  fields,
  onChange,
}: {
  readonly fields: Fields;
  readonly onChange: (fields: Fields) => void;
}) {
  const words = useWords();
  const set = (name: keyof Fields) => (value: string | boolean) => onChange({ ...fields, [name]: value });
  return (
    <div class="fields">
      <TextField label={words.pageTitle} value={fields.title} onInput={set("title")} required maxLength={255} />
      <TextField label={words.description} value={fields.description} onInput={set("description")} />
      <details>
        <summary>{words.pageSettings}</summary>
        <div class="grid">
          <TextField label={words.slug} value={fields.slug} onInput={set("slug")} required />
          <TextField label={words.emoji} value={fields.emoji} onInput={set("emoji")} />
          <TextField label={words.icon} value={fields.icon} onInput={set("icon")} />
          <TextField
            label={words.condition}
            hint={words.conditionHint}
            value={fields.condition}
            onInput={set("condition")}
          />
          <Check label={words.hidden} checked={fields.hidden} onChange={set("hidden")} />
          <Check label={words.noIndex} checked={fields.noIndex} onChange={set("noIndex")} />
        </div>
      </details>
    </div>
  );
}
