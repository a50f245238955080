// The Markdown editor: a slash at the start of a line offers blocks, a link offers pages, and pasted or dropped files are
// uploaded.

import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  snippetCompletion,
} from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef, useState } from "preact/hooks";
import { formatMessage } from "../../../locales/format-message";
import { type Messages, useMessages } from "../messages/messages";
import type { Insertable, PageInTree } from "../space/content-place";
import { createEditorExtensions } from "./editor-extensions";

export interface MarkdownEditorProps {
  readonly value: string;
  /** Increases when the value comes from outside of this editor. */
  readonly valueVersion: number;
  readonly label: string;
  readonly pages: readonly PageInTree[];
  readonly onChange: (value: string) => void;
  /** Loads the variables and reusable contents of the space. */
  readonly insertable: () => Promise<Insertable>;
  /** Uploads a file and returns the Markdown that shows it. */
  readonly onFile: (file: File) => Promise<string>;
}

export function MarkdownEditor(props: MarkdownEditorProps) {
  const messages = useMessages();
  const [problem, setProblem] = useState<string>();
  const root = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    const insertFiles = (files: readonly File[], at: number) => {
      for (const file of files)
        latest.current
          .onFile(file)
          .then((text) =>
            view.current?.dispatch({
              changes: { from: Math.min(at, view.current.state.doc.length), insert: `${text}\n` },
            }),
          )
          .catch((error: Error) => setProblem(formatMessage(messages.editor.uploadFailed, { why: error.message })));
    };
    const state = EditorState.create({
      doc: latest.current.value,
      extensions: [
        createEditorExtensions(latest.current.label, messages),
        autocompletion({
          override: [
            offerBlocks(messages, latest.current.insertable),
            // Pages in the target of a link.
            (context) => {
              const typed = context.matchBefore(/\]\([^()\s]*/);
              if (!typed) return null;
              const all: Completion[] = [];
              const add = (list: readonly PageInTree[]) => {
                for (const page of list) {
                  if (page.kind === "sheet") all.push({ label: page.title, detail: page.path, apply: `/${page.path}` });
                  add(page.pages);
                }
              };
              add(latest.current.pages);
              return { from: typed.from + 2, options: all, validFor: /^[^()\n]*$/ };
            },
            // Variables of the space, after two braces.
            async (context) => {
              const typed = context.matchBefore(/\{\{\w*/);
              if (!typed) return null;
              const { variables } = await latest.current.insertable();
              const options = Object.entries(variables).map(([name, value]) => ({
                label: `{{${name}`,
                displayLabel: name,
                detail: String(value).slice(0, 40),
                apply: `<code class="expression">space.vars.${name}</code>`,
              }));
              return { from: typed.from, options, validFor: /^\{\{\w*$/ };
            },
          ],
          icons: false,
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) latest.current.onChange(update.state.doc.toString());
        }),
        EditorView.domEventHandlers({
          paste(event, editor) {
            const files = [...(event.clipboardData?.files ?? [])];
            if (files.length === 0) return false;
            event.preventDefault();
            insertFiles(files, editor.state.selection.main.to);
            return true;
          },
          drop(event, editor) {
            const files = [...(event.dataTransfer?.files ?? [])];
            if (files.length === 0) return false;
            event.preventDefault();
            insertFiles(files, editor.posAtCoords({ x: event.clientX, y: event.clientY }) ?? editor.state.doc.length);
            return true;
          },
        }),
      ],
    });
    view.current = new EditorView({ state, parent: root.current! });
    return () => view.current?.destroy();
  }, []);

  // A text from outside replaces the content and keeps the position of the cursor.
  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === props.value) return;
    const anchor = Math.min(editor.state.selection.main.anchor, props.value.length);
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: props.value }, selection: { anchor } });
  }, [props.valueVersion]);

  return (
    <>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="markdown" ref={root} />
    </>
  );
}

/** Completes blocks and reusable contents, after a slash at the start of a line. */
function offerBlocks(
  messages: Messages,
  insertable: () => Promise<Insertable>,
): (context: CompletionContext) => Promise<CompletionResult | null> {
  const fixed = blocks.map(({ name, word, text }) =>
    snippetCompletion(text, { label: `/${name}`, detail: messages.markdownEditor[word] }),
  );
  return async (context) => {
    const typed = context.matchBefore(/^[ \t]*\/[^\n/]*/);
    if (!typed) return null;
    const { reusableContents } = await insertable();
    const reusable = reusableContents.map(({ id, title }) => ({
      label: `/${title}`,
      detail: messages.changeRequests.reusableContent,
      apply: `{% include "/reusable-contents/${id}" %}\n`,
    }));
    return {
      from: typed.from + typed.text.indexOf("/"),
      options: [...fixed, ...reusable],
      validFor: /^\/[^\n/]*$/,
    };
  };
}

interface OfferedBlock {
  readonly name: string;
  readonly word: keyof Messages["markdownEditor"] & `block${string}`;
  readonly text: string;
}

const blocks: readonly OfferedBlock[] = [
  { name: "heading", word: "blockHeading", text: "## #{}" },
  { name: "subheading", word: "blockHeading", text: "### #{}" },
  { name: "list", word: "blockList", text: "- #{}" },
  { name: "numbers", word: "blockNumbers", text: "1. #{}" },
  { name: "tasks", word: "blockTasks", text: "- [ ] #{}" },
  { name: "quote", word: "blockQuote", text: "> #{}" },
  { name: "code", word: "blockCode", text: "```#{language}\n#{}\n```" },
  { name: "table", word: "blockTable", text: "| #{} |  |\n| --- | --- |\n|  |  |" },
  { name: "hint", word: "blockHint", text: '{% hint style="info" %}\n#{}\n{% endhint %}' },
  { name: "warning", word: "blockWarning", text: '{% hint style="warning" %}\n#{}\n{% endhint %}' },
  {
    name: "tabs",
    word: "blockTabs",
    text: '{% tabs %}\n{% tab title="#{First}" %}\n#{}\n{% endtab %}\n\n{% tab title="Second" %}\n\n{% endtab %}\n{% endtabs %}',
  },
  { name: "steps", word: "blockSteps", text: "{% stepper %}\n{% step %}\n#{}\n{% endstep %}\n{% endstepper %}" },
  {
    name: "columns",
    word: "blockColumns",
    text: "{% columns %}\n{% column %}\n#{}\n{% endcolumn %}\n\n{% column %}\n\n{% endcolumn %}\n{% endcolumns %}",
  },
  {
    name: "expandable",
    word: "blockExpandable",
    text: "<details>\n\n<summary>#{Title}</summary>\n\n#{}\n\n</details>",
  },
  { name: "embed", word: "blockEmbed", text: '{% embed url="#{https://}" %}' },
  { name: "math", word: "blockFormula", text: "$$\n#{}\n$$" },
  { name: "condition", word: "blockCondition", text: '{% if #{visitor.claims.plan == "pro"} %}\n#{}\n{% endif %}' },
  { name: "divider", word: "blockDivider", text: "---\n\n#{}" },
];
