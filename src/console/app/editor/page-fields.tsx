// The fields of a page beside its text. Title and description are above it, the others in a section that can be opened.

import type { BoundFields } from "../api/fields";
import { Check, TextField } from "../components/fields";
import { useMessages } from "../messages/messages";
import type { PageFieldValues } from "./drafts";

export function PageFields({ fields }: { readonly fields: BoundFields<PageFieldValues> }) {
  const messages = useMessages();
  return (
    <div class="fields">
      <TextField label={messages.pageTitle} {...fields.title} required maxLength={255} />
      <TextField label={messages.description} {...fields.description} />
      <details>
        <summary>{messages.pageSettings}</summary>
        <div class="grid">
          <TextField label={messages.slug} {...fields.slug} required />
          <TextField label={messages.emoji} {...fields.emoji} />
          <TextField label={messages.icon} {...fields.icon} />
          <TextField label={messages.condition} hint={messages.conditionHint} {...fields.condition} />
          <Check label={messages.hidden} {...fields.hidden} />
          <Check label={messages.noIndex} {...fields.noIndex} />
        </div>
      </details>
    </div>
  );
}
