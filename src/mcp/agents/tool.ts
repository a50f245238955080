// A tool of the API: what a model sees of it, and what it does with the operations that it may use.

import type * as v from "valibot";
import type { OperationName } from "../../operations";
import type { Annotations, Tool, ToolResult } from "../tools";
import type { Ask } from "./ask";
import { type AgentToolName, type OperationsOf, operationsOf } from "./operations";

type Shape = v.GenericSchema<object, object>;

interface Described<Input extends Shape> {
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly annotations: Annotations;
}

/** A tool that still has to be told who calls it. */
export interface AgentTool extends Described<Shape> {
  readonly name: AgentToolName;
  readonly for: (ask: Ask<OperationName>) => Tool;
}

/** Declares a tool. Its `ask` refuses every operation that is not in the table. */
export function agentTool<Name extends AgentToolName, Input extends Shape>(
  name: Name,
  made: Described<Input> & {
    readonly call: (given: v.InferOutput<Input>, ask: Ask<OperationsOf<Name>>) => Promise<ToolResult>;
  },
): AgentTool {
  const allowed: readonly string[] = operationsOf[name];
  const { call, ...described } = made;
  return {
    name,
    ...described,
    for: (ask) => ({
      name,
      ...described,
      call: (given: v.InferOutput<Input>) =>
        call(given, ((operation: OperationName, ...rest: [never]) => {
          if (!allowed.includes(operation)) throw new Error(`${name} may not use ${operation}.`);
          return ask(operation, ...rest);
        }) as Ask<OperationsOf<Name>>),
    }),
  };
}

/** Reads, and changes nothing. */
export const READS: Annotations = { readOnlyHint: true, openWorldHint: false };

/** Adds something, and takes nothing away. */
export const ADDS: Annotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };

/** May take something away. */
export const CHANGES: Annotations = { readOnlyHint: false, destructiveHint: true, openWorldHint: false };
