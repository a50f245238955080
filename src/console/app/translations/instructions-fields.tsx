// Fields for what a translator is to mind: sentences, and a glossary.

import { Button } from "../parts/button";
import { TextField } from "../parts/field";
import { Icon } from "../parts/icon";
import { filled, useWords } from "../words/words";
import type { Instructions, Term } from "./instructions";

export function InstructionsFields({
  value,
  onChange,
}: {
  readonly value: Instructions;
  readonly onChange: (value: Instructions) => void;
}) {
  const words = useWords();
  const { text, glossary } = value;
  const set = (next: readonly Term[]) => onChange({ ...value, glossary: next });
  const change = (at: number, changed: Partial<Term>) =>
    set(glossary.map((it, i) => (i === at ? { ...it, ...changed } : it)));
  return (
    <>
      <TextField
        label={words.instructions}
        hint={words.instructionsHint}
        value={text}
        onInput={(next) => onChange({ ...value, text: next })}
        rows={3}
      />
      <fieldset class="items">
        <legend>{words.glossary}</legend>
        {glossary.map(({ term, translation }, at) => (
          // Rows have no names of their own, and are typed into: their place is what stays.
          <div key={at} class="term">
            <TextField label={words.term} value={term} onInput={(next) => change(at, { term: next })} />
            <TextField
              label={words.termTranslation}
              value={translation}
              onInput={(next) => change(at, { translation: next })}
            />
            <Button
              kind="quiet"
              label={filled(words.removeNamed, { title: term })}
              onClick={() => set(glossary.filter((_, i) => i !== at))}
            >
              <Icon name="close" />
            </Button>
          </div>
        ))}
        <Button onClick={() => set([...glossary, { term: "", translation: "" }])}>
          <Icon name="plus" />
          {words.addTerm}
        </Button>
      </fieldset>
    </>
  );
}
