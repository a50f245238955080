// The tree that `parse` returns: the nodes of mdast, plus those of the extensions. Every node has its offsets in the parsed
// text, so that a part of the text can be cut out or replaced.

export function visitNodes(node: SourceNode, callback: (node: SourceNode) => void): void {
  callback(node);
  if ("children" in node) for (const child of node.children) visitNodes(child, callback);
}

/** A part of the source: `text.slice(start, end)`. */
export interface SourceSpan {
  start: number;
  end: number;
}

/** A whole text. It has no front matter; a leading `# Title` is its first child. */
export interface RootNode extends SourceSpan {
  type: "root";
  children: BlockNode[];
}

export interface ParagraphNode extends SourceSpan {
  type: "paragraph";
  children: InlineNode[];
}

export interface HeadingNode extends SourceSpan {
  type: "heading";
  /** 1 to 6. */
  depth: number;
  children: InlineNode[];
}

export interface ThematicBreakNode extends SourceSpan {
  type: "thematicBreak";
}

export interface BlockquoteNode extends SourceSpan {
  type: "blockquote";
  /** The style of the hint that it becomes, if it begins with `[!NOTE]` or another alert. */
  alert?: "info" | "success" | "warning" | "danger";
  children: BlockNode[];
}

export interface ListNode extends SourceSpan {
  type: "list";
  ordered: boolean;
  /** The first number of an ordered list. */
  first: number | null;
  children: ListItemNode[];
}

export interface ListItemNode extends SourceSpan {
  type: "listItem";
  /** null unless the item is a task. */
  checked: boolean | null;
  children: BlockNode[];
}

export interface CodeNode extends SourceSpan {
  type: "code";
  /** The first word of the info string. */
  lang: string | null;
  /** The rest of the info string. */
  meta: string | null;
  value: string;
}

/** An HTML block, verbatim. */
export interface HtmlBlockNode extends SourceSpan {
  type: "html";
  value: string;
  /** The place of each line of the value in the source. A line that begins within a tab is longer in the value. */
  lines: SourceSpan[];
  /** The Markdown blocks between its tags, once the reader has joined HTML of several blocks. */
  inside?: BlockNode[];
}

/** A link reference definition, `[label]: url "title"`. Links that use it are already resolved. */
export interface DefinitionNode extends SourceSpan {
  type: "definition";
  identifier: string;
  url: string;
  title: string | null;
}

export interface FootnoteDefinitionNode extends SourceSpan {
  type: "footnoteDefinition";
  identifier: string;
  label: string;
  children: BlockNode[];
}

export interface TableNode extends SourceSpan {
  type: "table";
  align: (Alignment | null)[];
  /** The first one is the header row. */
  children: TableRowNode[];
}

export type Alignment = "left" | "center" | "right";

export interface TableRowNode extends SourceSpan {
  type: "tableRow";
  children: TableCellNode[];
}

export interface TableCellNode extends SourceSpan {
  type: "tableCell";
  children: InlineNode[];
}

/** `$$` on a line, a formula, `$$` on a line. */
export interface MathBlockNode extends SourceSpan {
  type: "math";
  value: string;
}

/** `{% name argument %}`, alone or with the content up to its `{% endname %}`. An unmatched closing tag is alone too. */
export interface TagNode extends SourceSpan {
  type: "tag";
  name: string;
  /** The text between the name and `%}`, trimmed: the condition of an `if`, the quoted path of an `include`. */
  argument: string;
  /** The `key="value"` pairs of the argument; a key without a value has "". It has no prototype. */
  attributes: Record<string, string>;
  /** The source of an opening tag of several lines, without the markers of the block quotes and list items around it. */
  source?: string;
  open: SourceSpan;
  /** The closing tag; undefined if the tag is alone. */
  close: SourceSpan | undefined;
  /** Empty if the tag is alone. */
  children: BlockNode[];
}

/** `<details><summary>…</summary>` … `</details>`. */
export interface DetailsNode extends SourceSpan {
  type: "details";
  /** The HTML between `<summary>` and `</summary>`. */
  summary: string;
  children: BlockNode[];
}

export type BlockNode =
  | ParagraphNode
  | HeadingNode
  | ThematicBreakNode
  | BlockquoteNode
  | ListNode
  | CodeNode
  | HtmlBlockNode
  | DefinitionNode
  | FootnoteDefinitionNode
  | TableNode
  | MathBlockNode
  | TagNode
  | DetailsNode;

export interface TextNode extends SourceSpan {
  type: "text";
  /** A line ending inside a paragraph is "\n". */
  value: string;
}

export interface EmphasisNode extends SourceSpan {
  type: "emphasis";
  children: InlineNode[];
}

export interface StrongNode extends SourceSpan {
  type: "strong";
  children: InlineNode[];
}

export interface DeleteNode extends SourceSpan {
  type: "delete";
  children: InlineNode[];
}

export interface InlineCodeNode extends SourceSpan {
  type: "inlineCode";
  value: string;
}

/** A hard line break. */
export interface BreakNode extends SourceSpan {
  type: "break";
}

export interface LinkNode extends SourceSpan {
  type: "link";
  url: string;
  title: string | null;
  /** The definition of the destination, unless the link itself has it. */
  definition?: DefinitionNode;
  children: InlineNode[];
}

export interface ImageNode extends SourceSpan {
  type: "image";
  url: string;
  title: string | null;
  /** The definition of the destination, unless the image itself has it. */
  definition?: DefinitionNode;
  alt: string;
}

/** Raw HTML inside a paragraph: one tag, comment or the like, verbatim. */
export interface InlineHtmlNode extends SourceSpan {
  type: "html";
  value: string;
}

export interface FootnoteReferenceNode extends SourceSpan {
  type: "footnoteReference";
  identifier: string;
  label: string;
}

/** `$$formula$$` inside a paragraph. */
export interface InlineMathNode extends SourceSpan {
  type: "inlineMath";
  value: string;
}

/** `:smile:`. */
export interface EmojiNode extends SourceSpan {
  type: "emoji";
  code: string;
}

/** `<code class="expression">space.vars.x</code>`. */
export interface ExpressionNode extends SourceSpan {
  type: "expression";
  value: string;
}

export type InlineNode =
  | TextNode
  | EmphasisNode
  | StrongNode
  | DeleteNode
  | InlineCodeNode
  | BreakNode
  | LinkNode
  | ImageNode
  | InlineHtmlNode
  | FootnoteReferenceNode
  | InlineMathNode
  | EmojiNode
  | ExpressionNode;

export type SourceNode = RootNode | BlockNode | ListItemNode | TableRowNode | TableCellNode | InlineNode;
