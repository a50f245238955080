// Shows two texts beside each other. Differences can be copied from the left to the right.

import { MergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import { Button } from "../components/button";
import { useMessages } from "../messages/messages";
import { createEditorExtensions } from "./editor-extensions";

export function SideBySide({
  theirs,
  ours,
  onDone,
}: {
  readonly theirs: string;
  readonly ours: string;
  readonly onDone: (text: string) => void;
}) {
  const messages = useMessages();
  const root = useRef<HTMLDivElement>(null);
  const view = useRef<MergeView | undefined>(undefined);
  useEffect(() => {
    view.current = new MergeView({
      a: {
        doc: theirs,
        extensions: [
          createEditorExtensions(messages.editor.theirs, messages),
          EditorState.readOnly.of(true),
          EditorView.editable.of(false),
        ],
      },
      b: { doc: ours, extensions: [createEditorExtensions(messages.editor.yours, messages)] },
      parent: root.current!,
      revertControls: "a-to-b",
      gutter: true,
    });
    return () => view.current?.destroy();
  }, []);
  return (
    <div class="both">
      <div class="labels">
        <span>{messages.editor.theirs}</span>
        <span>{messages.editor.yours}</span>
      </div>
      <div ref={root} />
      <div class="buttons">
        <Button kind="first" onClick={() => onDone(view.current!.b.state.doc.toString())}>
          {messages.editor.saveMerged}
        </Button>
      </div>
    </div>
  );
}
