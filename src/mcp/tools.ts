// The tools of an MCP server: a name, texts for the model, the schema of the input, and the function to call. Schemas are
// valibot's, and clients get them as JSON Schema.

import type * as v from "valibot";

/** Hints that a client may show its user before it calls a tool. */
export interface ToolAnnotations {
  /** True if the tool changes nothing. */
  readonly readOnlyHint?: boolean;
  /** True if the tool may remove something. False if it only adds. */
  readonly destructiveHint?: boolean;
  /** True if repeating a call has no further effect. */
  readonly idempotentHint?: boolean;
  /** True if the tool reaches anything beyond this server. */
  readonly openWorldHint?: boolean;
}

/** The result of a tool. Some clients show the model the text, and others the structured content, so each is complete. */
export interface ToolResult {
  /** Markdown. */
  readonly text: string;
  readonly structured?: object;
  /** True if the call failed. The model may then try again in another way. */
  readonly isError?: boolean;
}

export type ToolInputSchema = v.GenericSchema<object, object>;

export interface Tool {
  /** Letters, digits and underscores. */
  readonly name: string;
  /** The name for people. */
  readonly title: string;
  /** For a model that has never seen this server: what it does, when to use it, what it returns, what to do when it refuses. */
  readonly description: string;
  /** A strict object. `v.description` of each member says what to pass. */
  readonly input: ToolInputSchema;
  readonly annotations: ToolAnnotations;
  /** Throws a `DocsError` for a failure that the model should see. */
  readonly call: (input: never) => Promise<ToolResult>;
}

/** Defines a tool. The schema gives `call` the type of its input. */
export function defineTool<Input extends ToolInputSchema>(
  tool: Omit<Tool, "input" | "call"> & {
    readonly input: Input;
    readonly call: (input: v.InferOutput<Input>) => Promise<ToolResult>;
  },
): Tool {
  return tool;
}
