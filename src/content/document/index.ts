// The JSON document: the body of a page as blocks, inlines and texts with marks. This file has its types and limits;
// `check-document.ts` validates documents that clients send.

/** The deepest nesting of nodes in a document that a client sends. */
export const MAX_DOCUMENT_DEPTH = 64;

/** The most nodes of a document that a client sends: blocks, fragments, inlines, texts and leaves. */
export const MAX_DOCUMENT_NODES = 50_000;

/** The most columns of a table. */
export const MAX_COLUMNS = 500;

/** The target of a link, an image or a block. Members are ids. Without a space or a page, the current one is meant. */
export type ContentRef =
  | { kind: "url"; url: string }
  | { kind: "file"; file: string; space?: string }
  | { kind: "page"; page: string; space?: string }
  | { kind: "anchor"; anchor: string; page?: string; space?: string }
  | { kind: "user"; user: string }
  | { kind: "collection"; collection: string }
  | { kind: "space"; space: string }
  | { kind: "reusable-content"; reusableContent: string; space?: string }
  | { kind: "openapi"; spec: string };

/** The body of a page. */
export interface Document {
  object: "document";
  data: { schemaVersion?: number; [property: string]: unknown };
  nodes: Block[];
}

export type Mark =
  | { object: "mark"; type: PlainMark }
  | { object: "mark"; type: "color"; data: { text: string; background: string } };

/** A mark without data. */
export type PlainMark = "bold" | "italic" | "strikethrough" | "code" | "keyboard" | "superscript" | "subscript";

/** A run of text with the same marks throughout. A hard line break is "\n". */
export interface Leaf {
  object: "leaf";
  text: string;
  marks: Mark[];
}

/** A text, split into leaves. */
export interface Text {
  object: "text";
  key?: string;
  leaves: Leaf[];
}

/** A part of a node outside of its text: a caption, a title, the body of a note, a cell. */
export interface Fragment {
  object: "fragment";
  key?: string;
  /** The name by which the node refers to the fragment. */
  fragment?: string;
  type?: "caption" | "expandable-title" | "expandable-body" | "annotation-body" | "cell" | "column-title";
  nodes: Block[];
}

export interface InlineData {
  link: { ref: ContentRef };
  emoji: {
    /** The code points in hexadecimal, with `-` between them: `1f604`. */
    code: string;
    /** The name between the colons of the text: `smile`. */
    name?: string;
  };
  icon: { icon: string };
  expression: { expression: string };
  "inline-math": { formula: string };
  "inline-image": { ref: ContentRef; refDark?: ContentRef; caption?: string; size?: "original" | "line"; alt?: string };
  /** The nodes are the annotated text; the fragment of type `annotation-body` is the note. */
  annotation: Record<string, never>;
  mention: { ref: ContentRef };
  /** An invisible target of links, with the name that they put after `#`. */
  anchor: { id: string };
  button: { label: string; kind: "primary" | "secondary"; icon?: string; ref: ContentRef };
}

export type Inline = { [Type in keyof InlineData]: InlineOf<Type> }[keyof InlineData];

export interface InlineOf<Type extends keyof InlineData> {
  object: "inline";
  type: Type;
  key?: string;
  isVoid: boolean;
  data: InlineData[Type];
  nodes?: Phrasing[];
  fragments?: Fragment[];
}

/** A child of a paragraph. */
export type Phrasing = Text | Inline;

/** The alignment between the margins. */
export type Align = "start" | "center" | "end";

/** The type of a column's values. */
export type ColumnType =
  | "text"
  | "number"
  | "checkbox"
  | "files"
  | "users"
  | "rating"
  | "select"
  | "content-ref"
  | "image";

export interface ColumnDefinition {
  id: string;
  /** The title as plain text. A title with marks, links or images also has a fragment of type `column-title` under this id. */
  title: string;
  type: ColumnType;
  textAlignment?: "left" | "center" | "right";
  /** The highest rating. */
  max?: number;
  /** Allows selecting more than one option. */
  multiple?: boolean;
  options?: { value: string; label: string; color?: string }[];
}

/** The value of a cell: the name of a fragment for text, else a value of the column's type. */
export type CellValue = string | number | boolean | string[] | ContentRef | ContentRef[];

export interface TableRecord {
  orderIndex: string;
  /** The values by the id of their column. An empty cell has none. */
  values: Record<string, CellValue>;
}

/** The presentation of a table. `columns` has the ids of the visible columns in order. */
export type TableView =
  | { type: "grid"; columns: string[]; columnWidths?: Record<string, number>; hideHeader: boolean }
  | {
      type: "cards";
      cardSize: "medium" | "large";
      columns: string[];
      targetDefinition?: string;
      coverDefinition?: string;
    };

export interface BlockData {
  paragraph: { align?: Align };
  "heading-1": HeadingData;
  "heading-2": HeadingData;
  "heading-3": HeadingData;
  "list-ordered": { start?: number };
  "list-unordered": Record<string, never>;
  "list-tasks": Record<string, never>;
  "list-item": { checked?: boolean };
  divider: Record<string, never>;
  blockquote: Record<string, never>;
  hint: { style: "info" | "warning" | "danger" | "success"; icon?: string };
  if: { expression: string };
  images: { align?: Align; fullWidth?: boolean };
  image: { ref: ContentRef; refDark?: ContentRef; width?: number | string; height?: number | string; alt?: string };
  file: { ref: ContentRef };
  drawing: { ref?: ContentRef };
  embed: { url: string; fullWidth?: boolean };
  math: { formula: string };
  code: {
    syntax?: string;
    title?: string;
    overflow?: "wrap" | "scroll";
    lineNumbers?: boolean;
    fullWidth?: boolean;
    /** The text after the language on the fence that no other member represents. */
    meta?: string;
  };
  "code-line": { highlighted?: boolean };
  expandable: Record<string, never>;
  tabs: { fullWidth?: boolean };
  "tabs-item": { title?: string };
  table: {
    view: TableView;
    records: Record<string, TableRecord>;
    definition: Record<string, ColumnDefinition>;
    fullWidth?: boolean;
  };
  "content-ref": { ref: ContentRef };
  "reusable-content": { ref: ContentRef };
  integration: {
    integration: string;
    block: string;
    props: Record<string, string>;
    url?: string;
    /** The text after the language, if the block is written as fenced code. */
    meta?: string;
  };
  stepper: Record<string, never>;
  "stepper-step": Record<string, never>;
  columns: { fullWidth?: boolean };
  column: {
    /** The width in percent. */
    width?: number;
    /** A width in another unit, as in the text: `300px`, `2fr`. */
    size?: string;
    verticalAlignment?: "top" | "middle" | "bottom";
  };
  swagger: { ref: ContentRef; path: string; method: string };
  "openapi-operation": { ref: ContentRef; path: string; method: string };
  "openapi-schemas": { ref: ContentRef; schemas: string[]; grouped?: boolean };
  "openapi-webhook": { ref: ContentRef; name: string; method: string };
  updates: { format?: string };
  update: { date?: string; tags?: string[] };
  /**
   * Source text that no other block represents. It is kept as text and never run: a component, a footnote that only footnotes
   * refer to, or an unknown tag. If the block has nodes, `source` is the opening tag of a pair and the nodes are its content.
   */
  unknown: { source: string };
}

interface HeadingData {
  /** The anchor that an author gave to the heading; `meta.id` is the one in effect. */
  id?: string;
  align?: Align;
}

export type Block = { [Type in keyof BlockData]: BlockOf<Type> }[keyof BlockData];

export interface BlockOf<Type extends keyof BlockData> {
  object: "block";
  type: Type;
  /** Matches `^[A-Za-z0-9_-]{1,64}$`. The key stays the same as long as the content of the block does. */
  key?: string;
  isVoid?: boolean;
  data?: BlockData[Type];
  /** Blocks, or texts and inlines, depending on the type. */
  nodes?: (Block | Phrasing)[];
  fragments?: Fragment[];
  meta?: { id?: string };
}
