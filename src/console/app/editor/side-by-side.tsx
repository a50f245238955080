// Two texts beside each other. What differs can be taken over from the left to the right.

import { MergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import { Button } from "../parts/button";
import { useWords } from "../words/words";
import { setup } from "./setup";

export function SideBySide({
  theirs,
  ours,
  onDone,
}: {
  readonly theirs: string;
  readonly ours: string;
  readonly onDone: (text: string) => void;
}) {
  const words = useWords();
  const root = useRef<HTMLDivElement>(null);
  const view = useRef<MergeView | undefined>(undefined);
  useEffect(() => {
    view.current = new MergeView({
      a: {
        doc: theirs,
        extensions: [setup(words.theirs, words), EditorState.readOnly.of(true), EditorView.editable.of(false)],
      },
      b: { doc: ours, extensions: [setup(words.yours, words)] },
      parent: root.current!,
      revertControls: "a-to-b",
      gutter: true,
    });
    return () => view.current?.destroy();
  }, []);
  return (
    <div class="both">
      <div class="labels">
        <span>{words.theirs}</span>
        <span>{words.yours}</span>
      </div>
      <div ref={root} />
      <div class="buttons">
        <Button kind="first" onClick={() => onDone(view.current!.b.state.doc.toString())}>
          {words.saveMerged}
        </Button>
      </div>
    </div>
  );
}
