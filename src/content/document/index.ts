// The JSON document: a page's body as blocks, inlines and texts with marks. These are its types; `checkDocument` holds a
// value from outside against them.

export { MAX_COLUMNS, MAX_DOCUMENT_DEPTH, MAX_DOCUMENT_NODES } from "./limits";

/** What a link, an image or a block leads to. Members are ids; a space or page that is left out is the current one. */
export type Ref =
  | { kind: "url"; url: string }
  | { kind: "file"; file: string; space?: string }
  | { kind: "page"; page: string; space?: string }
  | { kind: "anchor"; anchor: string; page?: string; space?: string }
  | { kind: "user"; user: string }
  | { kind: "collection"; collection: string }
  | { kind: "space"; space: string }
  | { kind: "reusable-content"; reusableContent: string; space?: string }
  | { kind: "openapi"; spec: string };

/** A whole body. */
export interface Document {
  object: "document";
  data: { schemaVersion?: number; [property: string]: unknown };
  nodes: Block[];
}

/** A mark on a piece of text. */
export type Mark =
  | { object: "mark"; type: PlainMark }
  | { object: "mark"; type: "color"; data: { text: string; background: string } };

/** Marks that say nothing but their name. */
export type PlainMark = "bold" | "italic" | "strikethrough" | "code" | "keyboard" | "superscript" | "subscript";

/** A piece of text with the same marks throughout. A line break that was asked for is "\n". */
export interface Leaf {
  object: "leaf";
  text: string;
  marks: Mark[];
}

/** Text. */
export interface Text {
  object: "text";
  key?: string;
  leaves: Leaf[];
}

/** A part of a node that stands apart from its text: a caption, a title, the body of a note, a cell. */
export interface Fragment {
  object: "fragment";
  key?: string;
  /** The name by which the node refers to it. */
  fragment?: string;
  type?: "caption" | "expandable-title" | "expandable-body" | "annotation-body" | "cell" | "column-title";
  nodes: Block[];
}

/** What inlines of each type say. */
export interface InlineData {
  link: { ref: Ref };
  emoji: {
    /** Its code points in hexadecimal, with `-` between them: `1f604`. */
    code: string;
    /** How the text has it between its colons: `smile`. */
    name?: string;
  };
  icon: { icon: string };
  expression: { expression: string };
  "inline-math": { formula: string };
  "inline-image": { ref: Ref; refDark?: Ref; caption?: string; size?: "original" | "line"; alt?: string };
  /** The text is what is annotated; the fragment of type `annotation-body` is the note. */
  annotation: Record<string, never>;
  mention: { ref: Ref };
  /** A place that links may lead to, with the name that they put behind `#`; nothing is shown. */
  anchor: { id: string };
  button: { label: string; kind: "primary" | "secondary"; icon?: string; ref: Ref };
}

/** Something between texts. */
export type Inline = { [Type in keyof InlineData]: InlineOf<Type> }[keyof InlineData];

/** An inline of one type. */
export interface InlineOf<Type extends keyof InlineData> {
  object: "inline";
  type: Type;
  key?: string;
  isVoid: boolean;
  data: InlineData[Type];
  nodes?: Phrasing[];
  fragments?: Fragment[];
}

/** What a paragraph is made of. */
export type Phrasing = Text | Inline;

/** How something stands between the margins. */
export type Align = "start" | "center" | "end";

/** What columns of a table hold. */
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

/** A column of a table. */
export interface ColumnDefinition {
  id: string;
  /** The title in plain words. One with marks, links or images also has a fragment of type `column-title` under this id. */
  title: string;
  type: ColumnType;
  textAlignment?: "left" | "center" | "right";
  /** The highest rating. */
  max?: number;
  /** Whether more than one option can be selected. */
  multiple?: boolean;
  /** What can be selected. */
  options?: { value: string; label: string; color?: string }[];
}

/** What a cell holds: the name of a fragment for text, else a value of the column's type. */
export type CellValue = string | number | boolean | string[] | Ref | Ref[];

/** A row of a table. */
export interface TableRecord {
  orderIndex: string;
  /** By the id of the column. An empty cell has none. */
  values: Record<string, CellValue>;
}

/** How a table is shown. `columns` are the ids of those that are, in order. */
export type TableView =
  | { type: "grid"; columns: string[]; columnWidths?: Record<string, number>; hideHeader: boolean }
  | {
      type: "cards";
      cardSize: "medium" | "large";
      columns: string[];
      targetDefinition?: string;
      coverDefinition?: string;
    };

/** What blocks of each type say. */
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
  image: { ref: Ref; refDark?: Ref; width?: number | string; height?: number | string; alt?: string };
  file: { ref: Ref };
  drawing: { ref?: Ref };
  embed: { url: string; fullWidth?: boolean };
  math: { formula: string };
  code: {
    syntax?: string;
    title?: string;
    overflow?: "wrap" | "scroll";
    lineNumbers?: boolean;
    fullWidth?: boolean;
    /** What stands behind the language on the fence and has no meaning for us. */
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
  "content-ref": { ref: Ref };
  "reusable-content": { ref: Ref };
  integration: {
    integration: string;
    block: string;
    props: Record<string, string>;
    url?: string;
    /** What stands behind the language, where the block is written as fenced code. */
    meta?: string;
  };
  stepper: Record<string, never>;
  "stepper-step": Record<string, never>;
  columns: { fullWidth?: boolean };
  column: {
    /** In percent. */
    width?: number;
    /** A width in another unit, as the text has it: `300px`, `2fr`. */
    size?: string;
    verticalAlignment?: "top" | "middle" | "bottom";
  };
  swagger: { ref: Ref; path: string; method: string };
  "openapi-operation": { ref: Ref; path: string; method: string };
  "openapi-schemas": { ref: Ref; schemas: string[]; grouped?: boolean };
  "openapi-webhook": { ref: Ref; name: string; method: string };
  updates: { format?: string };
  update: { date?: string; tags?: string[] };
  /**
   * What is none of the others, kept as text and never run: a component, a footnote that only footnotes refer to, or a tag
   * that nobody knows. With nodes, `source` is the opening tag of a pair and they are what stands inside it.
   */
  unknown: { source: string };
}

interface HeadingData {
  /** An anchor that was given to the heading; `meta.id` is the one that it has. */
  id?: string;
  align?: Align;
}

/** A block of any type. */
export type Block = { [Type in keyof BlockData]: BlockOf<Type> }[keyof BlockData];

/** A block of one type. */
export interface BlockOf<Type extends keyof BlockData> {
  object: "block";
  type: Type;
  /** `^[A-Za-z0-9_-]{1,64}$`; the same as long as the block says the same. */
  key?: string;
  isVoid?: boolean;
  data?: BlockData[Type];
  /** Blocks, or texts and inlines, by the type. */
  nodes?: (Block | Phrasing)[];
  fragments?: Fragment[];
  meta?: { id?: string };
}
