// The fields for the instructions of a translator: a text and a glossary.

import { Button } from "../components/button";
import { TextField } from "../components/field";
import { Icon } from "../components/icon";
import { fillMessage, useMessages } from "../messages/messages";
import type { Instructions, Term } from "./instructions";

export function InstructionsFields({
  value,
  onChange,
}: {
  readonly value: Instructions;
  readonly onChange: (value: Instructions) => void;
}) {
  const messages = useMessages();
  const { text, glossary } = value;
  const set = (next: readonly Term[]) => onChange({ ...value, glossary: next });
  const change = (at: number, changed: Partial<Term>) =>
    set(glossary.map((it, i) => (i === at ? { ...it, ...changed } : it)));
  return (
    <>
      <TextField
        label={messages.instructions}
        hint={messages.instructionsHint}
        value={text}
        onInput={(next) => onChange({ ...value, text: next })}
        rows={3}
      />
      <fieldset class="items">
        <legend>{messages.glossary}</legend>
        {glossary.map(({ term, translation }, at) => (
          // Rows have no ids and change while the user types, so their index is the key.
          <div key={at} class="term">
            <TextField label={messages.term} value={term} onInput={(next) => change(at, { term: next })} />
            <TextField
              label={messages.termTranslation}
              value={translation}
              onInput={(next) => change(at, { translation: next })}
            />
            <Button
              kind="quiet"
              label={fillMessage(messages.removeNamed, { title: term })}
              onClick={() => set(glossary.filter((_, i) => i !== at))}
            >
              <Icon name="close" />
            </Button>
          </div>
        ))}
        <Button onClick={() => set([...glossary, { term: "", translation: "" }])}>
          <Icon name="plus" />
          {messages.addTerm}
        </Button>
      </fieldset>
    </>
  );
}
