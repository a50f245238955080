// The fields of a page beside its text. Title and description are above it, the others in a section that can be opened.

import type { BoundFields } from "../api/fields";
import { EmojiField } from "../components/emoji-field";
import { Check, TextField } from "../components/field";
import { useMessages } from "../messages/messages";
import type { PageFieldValues } from "./drafts";

export function PageFields({ fields }: { readonly fields: BoundFields<PageFieldValues> }) {
  const messages = useMessages();
  return (
    <div class="fields">
      <TextField
        label={messages.editor.pageTitle}
        placeholder={messages.editor.pageTitle}
        {...fields.title}
        required
        maxLength={255}
      />
      <TextField
        label={messages.editor.description}
        placeholder={messages.editor.description}
        {...fields.description}
      />
      <details>
        <summary>{messages.editor.pageSettings}</summary>
        <div class="grid">
          <TextField label={messages.editor.slug} {...fields.slug} required />
          <EmojiField {...fields.emoji} />
          <TextField label={messages.editor.icon} {...fields.icon} />
          <TextField label={messages.editor.condition} hint={messages.editor.conditionHint} {...fields.condition} />
          <Check label={messages.editor.hidden} {...fields.hidden} />
          <Check label={messages.editor.noIndex} {...fields.noIndex} />
        </div>
      </details>
    </div>
  );
}
