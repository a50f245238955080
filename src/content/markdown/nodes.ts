// The tree that `parse` makes of Markdown: the nodes of mdast, plus those of our own forms. Every node says where it
// stands in the source, as offsets into the text that was parsed, so that a part can be cut out or replaced.

/** A stretch of the source: `text.slice(start, end)`. */
export interface Span {
  start: number;
  end: number;
}

/** A whole text. Front matter is not part of it; the leading `# Title` is, as its first child. */
export interface Root extends Span {
  type: "root";
  children: Block[];
}

export interface Paragraph extends Span {
  type: "paragraph";
  children: Inline[];
}

export interface Heading extends Span {
  type: "heading";
  /** 1 to 6. */
  depth: number;
  children: Inline[];
}

export interface ThematicBreak extends Span {
  type: "thematicBreak";
}

export interface Blockquote extends Span {
  type: "blockquote";
  /** The style of the hint that it is for readers, if it begins with `[!NOTE]` or the like. */
  alert?: "info" | "success" | "warning" | "danger";
  children: Block[];
}

export interface List extends Span {
  type: "list";
  ordered: boolean;
  /** The first number of an ordered list. */
  first: number | null;
  children: ListItem[];
}

export interface ListItem extends Span {
  type: "listItem";
  /** null unless the item is a task. */
  checked: boolean | null;
  children: Block[];
}

export interface Code extends Span {
  type: "code";
  /** The first word behind the fence. */
  lang: string | null;
  /** The rest of the line behind the fence. */
  meta: string | null;
  value: string;
}

/** HTML between paragraphs, as it stands. */
export interface Html extends Span {
  type: "html";
  value: string;
  /** Where each line of the value stands in the source. It is longer here where it begins within a tab. */
  lines: Span[];
  /** Blocks of Markdown between its tags, once HTML that goes over several blocks was put together for the reader. */
  inside?: Block[];
}

/** What `[label]: url "title"` defines. Links that use it are resolved already. */
export interface Definition extends Span {
  type: "definition";
  identifier: string;
  url: string;
  title: string | null;
}

export interface FootnoteDefinition extends Span {
  type: "footnoteDefinition";
  identifier: string;
  label: string;
  children: Block[];
}

export interface Table extends Span {
  type: "table";
  align: (Alignment | null)[];
  /** The first one is the head. */
  children: TableRow[];
}

export type Alignment = "left" | "center" | "right";

export interface TableRow extends Span {
  type: "tableRow";
  children: TableCell[];
}

export interface TableCell extends Span {
  type: "tableCell";
  children: Inline[];
}

/** `$$` on a line, a formula, `$$` on a line. */
export interface MathBlock extends Span {
  type: "math";
  value: string;
}

/** `{% name argument %}`, alone or with everything up to its `{% endname %}`. A closing tag that closes nothing is alone too. */
export interface Tag extends Span {
  type: "tag";
  name: string;
  /** What stands between the name and `%}`, trimmed: the condition of an `if`, the quoted path of an `include`. */
  argument: string;
  /** The `key="value"` pairs of the argument; a key without a value has "". It has no prototype. */
  attributes: Record<string, string>;
  /** The opening tag, if it goes over several lines: without the marks of quotes and items that they stand in. */
  source?: string;
  open: Span;
  /** Where the closing tag stands; undefined when the tag stands alone. */
  close: Span | undefined;
  /** Empty when the tag stands alone. */
  children: Block[];
}

/** `<details><summary>…</summary>` … `</details>`. */
export interface Details extends Span {
  type: "details";
  /** The HTML between `<summary>` and `</summary>`. */
  summary: string;
  children: Block[];
}

export type Block =
  | Paragraph
  | Heading
  | ThematicBreak
  | Blockquote
  | List
  | Code
  | Html
  | Definition
  | FootnoteDefinition
  | Table
  | MathBlock
  | Tag
  | Details;

export interface Text extends Span {
  type: "text";
  /** A line ending inside a paragraph is "\n". */
  value: string;
}

export interface Emphasis extends Span {
  type: "emphasis";
  children: Inline[];
}

export interface Strong extends Span {
  type: "strong";
  children: Inline[];
}

export interface Delete extends Span {
  type: "delete";
  children: Inline[];
}

export interface InlineCode extends Span {
  type: "inlineCode";
  value: string;
}

/** A line ending that was asked for. */
export interface Break extends Span {
  type: "break";
}

export interface Link extends Span {
  type: "link";
  url: string;
  title: string | null;
  /** The definition that the target comes from, unless it stands in the link itself. */
  definition?: Definition;
  children: Inline[];
}

export interface Image extends Span {
  type: "image";
  url: string;
  title: string | null;
  /** The definition that the target comes from, unless it stands in the image itself. */
  definition?: Definition;
  alt: string;
}

/** One HTML tag, comment or the like inside a paragraph, as it stands. */
export interface InlineHtml extends Span {
  type: "html";
  value: string;
}

export interface FootnoteReference extends Span {
  type: "footnoteReference";
  identifier: string;
  label: string;
}

/** `$$formula$$` inside a paragraph. */
export interface InlineMath extends Span {
  type: "inlineMath";
  value: string;
}

/** `:smile:`. */
export interface Emoji extends Span {
  type: "emoji";
  code: string;
}

/** `<code class="expression">space.vars.x</code>`. */
export interface Expression extends Span {
  type: "expression";
  value: string;
}

export type Inline =
  | Text
  | Emphasis
  | Strong
  | Delete
  | InlineCode
  | Break
  | Link
  | Image
  | InlineHtml
  | FootnoteReference
  | InlineMath
  | Emoji
  | Expression;

export type Node = Root | Block | ListItem | TableRow | TableCell | Inline;
