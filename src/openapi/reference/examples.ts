// Puts the recorded examples into the OpenAPI document: what was sent, and what was answered.

import { listErrorReasons } from "../../errors";
import { failures } from "../components";
import { type DescribedParameter, type OpenApi, operationsIn } from "./names";
import { recorded } from "./recorded";

/** A request and what was answered. A list shows its first items; an answer that is not JSON is left out. */
export interface Recorded {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
  readonly answer?: unknown;
}

const JSON_TYPE = "application/json";

/** The recorded requests, by the names of their operations. */
export const examples = recorded as Readonly<Record<string, Recorded>>;

/** Gives examples to bodies, answers and parameters. An operation that was not recorded has none. */
export function exemplify(document: OpenApi): void {
  for (const { operation, ofPath } of operationsIn(document)) {
    const { params, query, body, status, answer } = examples[operation.operationId] ?? {};
    for (const parameter of ofPath) setExample(parameter, params);
    for (const parameter of operation.parameters ?? []) setExample(parameter, query);
    const sent = operation.requestBody?.content?.[JSON_TYPE];
    if (sent && body !== undefined) sent.example = body;
    const answered = operation.responses[String(status)]?.content?.[JSON_TYPE];
    if (answered && answer !== undefined) answered.example = answer;
  }
  const responses = document.components.responses as Record<
    string,
    { content?: Record<string, { example?: unknown }> }
  >;
  for (const [status, { name }] of Object.entries(failures)) {
    const told = listErrorReasons().find((it) => it.status === Number(status));
    const content = responses[name]?.content?.[JSON_TYPE];
    if (!told || !content) continue;
    const { reason, sentence } = told;
    content.example = { error: { code: told.status, message: sentence, reason, requestId: "k3v9x2-17" } };
  }
}

/** The parameter of a path is shared by its operations: the first that was recorded gives the example. */
function setExample(parameter: DescribedParameter, values: Readonly<Record<string, string>> | undefined): void {
  const value = values?.[parameter.name ?? ""];
  if (value === undefined || parameter.example !== undefined) return;
  parameter.example = parameter.schema?.type === "boolean" ? value === "true" : value;
}
