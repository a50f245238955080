// What a translator is to mind, as text and a glossary; on the wire it is a document, whose tables of two columns are glossaries.

export interface Term {
  readonly term: string;
  readonly translation: string;
}

export interface Instructions {
  readonly text: string;
  readonly glossary: readonly Term[];
}

interface Node {
  readonly object?: string;
  readonly type?: string;
  readonly text?: string;
  readonly leaves?: readonly { readonly text?: string }[];
  readonly nodes?: readonly Node[];
  readonly fragments?: readonly (Node & { readonly fragment?: string })[];
  readonly data?: {
    readonly definition?: Readonly<Record<string, unknown>>;
    readonly records?: Readonly<
      Record<string, { readonly orderIndex?: string; readonly values?: Readonly<Record<string, unknown>> }>
    >;
  };
}

const paragraph = (text: string): Node => ({
  object: "block",
  type: "paragraph",
  nodes: [{ object: "text", leaves: [{ object: "leaf", text, marks: [] } as never] }],
});

/** The document of instructions; undefined: there are none. */
export function toDocument({ text, glossary }: Instructions): { object: "document"; nodes: Node[] } | undefined {
  const lines = text.split(/\n+/).filter((line) => line.trim() !== "");
  const terms = glossary.filter(({ term, translation }) => term.trim() !== "" && translation.trim() !== "");
  if (lines.length === 0 && terms.length === 0) return undefined;
  return { object: "document", nodes: [...lines.map(paragraph), ...(terms.length > 0 ? [tableOf(terms)] : [])] };
}

function tableOf(terms: readonly Term[]): Node {
  const fragments = terms.flatMap(({ term, translation }, at) =>
    [term, translation].map((text, column) => ({
      object: "fragment",
      fragment: `${at}-${column}`,
      type: "table-cell",
      nodes: [paragraph(text.trim())],
    })),
  );
  const records = Object.fromEntries(
    terms.map((_, at) => [
      `row-${at}`,
      { orderIndex: String(at).padStart(5, "0"), values: { term: `${at}-0`, translation: `${at}-1` } },
    ]),
  );
  const column = (title: string) => ({ id: title, title, type: "text" });
  return {
    object: "block",
    type: "table",
    isVoid: true,
    data: {
      records,
      view: { type: "grid", columns: ["term", "translation"], hideHeader: false },
      definition: { term: column("term"), translation: column("translation") },
    },
    fragments,
  } as Node;
}

/** The instructions that a document says. What is neither a text nor a table of two columns is read as text. */
export function fromDocument(document: unknown): Instructions {
  const texts: string[] = [];
  const glossary: Term[] = [];
  for (const block of (document as Node | undefined)?.nodes ?? []) {
    if (block.type === "table") glossary.push(...termsOf(block));
    else texts.push(textOf(block));
  }
  return { text: texts.filter((text) => text !== "").join("\n\n"), glossary };
}

function termsOf({ data, fragments = [] }: Node): Term[] {
  const columns = (data as { view?: { columns?: readonly string[] } } | undefined)?.view?.columns ?? [];
  if (columns.length !== 2) return [];
  const rows = Object.values(data?.records ?? {});
  rows.sort((a, b) => ((a.orderIndex ?? "") < (b.orderIndex ?? "") ? -1 : 1));
  const cell = (name: unknown) => {
    const fragment = fragments.find((it) => it.fragment === name);
    return fragment ? textOf(fragment) : "";
  };
  return rows.map(({ values = {} }) => ({
    term: cell(values[columns[0]!]),
    translation: cell(values[columns[1]!]),
  }));
}

function textOf(node: Node): string {
  if (node.leaves) return node.leaves.map(({ text = "" }) => text).join("");
  return (node.nodes ?? []).map(textOf).join("");
}
