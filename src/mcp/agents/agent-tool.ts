// Defines the tools of the API: their texts and schemas for a model, and their calls of the operations that they may use.

import type * as v from "valibot";
import type { OperationName } from "../../operations";
import type { Tool, ToolAnnotations, ToolInputSchema, ToolResult } from "../tools";
import type { CallApi } from "./call-api";
import { type AgentToolName, operationsByTool, type ToolOperation } from "./tool-operations";

interface AgentToolInfo<Input extends ToolInputSchema> {
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly annotations: ToolAnnotations;
}

/** A tool that is not bound to a caller yet. */
export interface AgentTool extends AgentToolInfo<ToolInputSchema> {
  readonly name: AgentToolName;
  readonly bind: (callApi: CallApi<OperationName>) => Tool;
}

/** Defines a tool. Its `callApi` refuses every operation that is missing in the table of tool operations. */
export function defineAgentTool<Name extends AgentToolName, Input extends ToolInputSchema>(
  name: Name,
  tool: AgentToolInfo<Input> & {
    readonly call: (input: v.InferOutput<Input>, callApi: CallApi<ToolOperation<Name>>) => Promise<ToolResult>;
  },
): AgentTool {
  const allowed: readonly string[] = operationsByTool[name];
  const { call, ...info } = tool;
  return {
    name,
    ...info,
    bind(callApi) {
      const callAllowed = (operation: OperationName, ...rest: [never]) => {
        if (!allowed.includes(operation)) throw new Error(`${name} may not use ${operation}.`);
        return callApi(operation, ...rest);
      };
      return {
        name,
        ...info,
        call: (input: v.InferOutput<Input>) => call(input, callAllowed as CallApi<ToolOperation<Name>>),
      };
    },
  };
}

/** The tool reads, and changes nothing. */
export const READ_ONLY: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };

/** The tool adds something, and removes nothing. */
export const ADDITIVE: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };

/** The tool may remove something. */
export const DESTRUCTIVE: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, openWorldHint: false };
