// A tool as a model sees it: a name, words, the shape of what it takes, and what it does. Shapes are those of valibot, as
// everywhere here; clients get them as JSON Schema.

import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";

/** What a client may tell its user before a tool is called. */
export interface Annotations {
  /** Whether it changes nothing. */
  readonly readOnlyHint?: boolean;
  /** Whether it may take something away; false: it only adds. */
  readonly destructiveHint?: boolean;
  /** Whether doing it twice is the same as doing it once. */
  readonly idempotentHint?: boolean;
  /** Whether it reaches anything beyond this server. */
  readonly openWorldHint?: boolean;
}

/** What a tool answers. Some clients show a model the text, and some what is structured: each says everything. */
export interface ToolResult {
  /** Markdown. */
  readonly text: string;
  readonly structured?: object;
  /** Whether the model should read it as a refusal, and may try again in another way. */
  readonly isError?: boolean;
}

type Shape = v.GenericSchema<object, object>;

export interface Tool {
  /** Letters, digits and underscores. */
  readonly name: string;
  /** What people call it. */
  readonly title: string;
  /** For a model that has never seen this server: what it does, when to use it, what comes back, what to do when it refuses. */
  readonly description: string;
  /** A strict object. `v.description` of each member says what to pass. */
  readonly input: Shape;
  readonly annotations: Annotations;
  /** Throws a `DocsError` for what the model should hear of. */
  readonly call: (given: never) => Promise<ToolResult>;
}

/** A tool, with the type of what it takes. */
export function tool<Input extends Shape>(
  made: Omit<Tool, "input" | "call"> & {
    readonly input: Input;
    readonly call: (given: v.InferOutput<Input>) => Promise<ToolResult>;
  },
): Tool {
  return made;
}

/** Shapes are constants, and the same for every caller. */
const described = new WeakMap<Shape, object>();

/** A tool in the list of tools. */
export function describeTool({ name, title, description, input, annotations }: Tool): object {
  return { name, title, description, inputSchema: schemaOf(input), annotations: { title, ...annotations } };
}

function schemaOf(input: Shape): object {
  const known = described.get(input);
  if (known) return known;
  const { $schema: _, ...schema } = toJsonSchema(input, { target: "draft-2020-12", typeMode: "input" });
  described.set(input, schema);
  return schema;
}
