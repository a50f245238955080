// The instructions of a translator as a text and a glossary. The API stores them as a document whose two-column tables are
// glossaries.

export interface Term {
  readonly term: string;
  readonly translation: string;
}

export interface Instructions {
  readonly text: string;
  readonly glossary: readonly Term[];
}

interface InstructionsNode {
  readonly object?: string;
  readonly type?: string;
  readonly text?: string;
  readonly leaves?: readonly { readonly text?: string }[];
  readonly nodes?: readonly InstructionsNode[];
  readonly fragments?: readonly (InstructionsNode & { readonly fragment?: string })[];
  readonly data?: {
    readonly definition?: Readonly<Record<string, unknown>>;
    readonly records?: Readonly<
      Record<string, { readonly orderIndex?: string; readonly values?: Readonly<Record<string, unknown>> }>
    >;
  };
}

const buildParagraphNode = (text: string): InstructionsNode => ({
  object: "block",
  type: "paragraph",
  nodes: [{ object: "text", leaves: [{ object: "leaf", text, marks: [] } as never] }],
});

/** Converts instructions to a document. Returns undefined if they are empty. */
export function toDocument({
  text,
  glossary,
}: Instructions): { object: "document"; nodes: InstructionsNode[] } | undefined {
  const lines = text.split(/\n+/).filter((line) => line.trim() !== "");
  const terms = glossary.filter(({ term, translation }) => term.trim() !== "" && translation.trim() !== "");
  if (lines.length === 0 && terms.length === 0) return undefined;
  const paragraphs = lines.map(buildParagraphNode);
  if (terms.length === 0) return { object: "document", nodes: paragraphs };

  const fragments = terms.flatMap(({ term, translation }, at) =>
    [term, translation].map((text, column) => ({
      object: "fragment",
      fragment: `${at}-${column}`,
      type: "table-cell",
      nodes: [buildParagraphNode(text.trim())],
    })),
  );
  const records = Object.fromEntries(
    terms.map((_, at) => [
      `row-${at}`,
      { orderIndex: String(at).padStart(5, "0"), values: { term: `${at}-0`, translation: `${at}-1` } },
    ]),
  );
  const column = (title: string) => ({ id: title, title, type: "text" });
  const table = {
    object: "block",
    type: "table",
    isVoid: true,
    data: {
      records,
      view: { type: "grid", columns: ["term", "translation"], hideHeader: false },
      definition: { term: column("term"), translation: column("translation") },
    },
    fragments,
  } as InstructionsNode;
  return { object: "document", nodes: [...paragraphs, table] };
}

/** Reads the instructions from a document. Blocks other than two-column tables are read as text. */
export function fromDocument(document: unknown): Instructions {
  const texts: string[] = [];
  const glossary: Term[] = [];
  for (const block of (document as InstructionsNode | undefined)?.nodes ?? []) {
    const { type, data, fragments = [] } = block;
    if (type !== "table") {
      texts.push(getNodeText(block));
      continue;
    }
    const columns = (data as { view?: { columns?: readonly string[] } } | undefined)?.view?.columns ?? [];
    if (columns.length !== 2) continue;
    const getCellText = (name: unknown) => {
      const fragment = fragments.find((it) => it.fragment === name);
      return fragment ? getNodeText(fragment) : "";
    };
    const rows = Object.values(data?.records ?? {});
    rows.sort((a, b) => ((a.orderIndex ?? "") < (b.orderIndex ?? "") ? -1 : 1));
    for (const { values = {} } of rows)
      glossary.push({ term: getCellText(values[columns[0]!]), translation: getCellText(values[columns[1]!]) });
  }
  return { text: texts.filter((text) => text !== "").join("\n\n"), glossary };
}

function getNodeText(node: InstructionsNode): string {
  if (node.leaves) return node.leaves.map(({ text = "" }) => text).join("");
  return (node.nodes ?? []).map(getNodeText).join("");
}
