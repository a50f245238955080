// Adds the recorded examples to the OpenAPI document: the requests that were sent, and the responses to them.

import { listErrorReasons } from "../../errors";
import { failuresByStatus } from "../components";
import { JSON_MEDIA_TYPE, listOperations, type OpenApiDocument, type ResponseObject } from "./model";
import recorded from "./recorded.json";

/** A request and its response. A list shows its first items; a response that is not JSON is left out. */
export interface RecordedExample {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
  readonly answer?: unknown;
}

/** The recorded requests, by the names of their operations. */
export const recordedExamples = recorded as unknown as Readonly<Record<string, RecordedExample>>;

/** Adds examples to bodies, responses and parameters. An operation that was not recorded has none. Changes the document. */
export function addExamples(document: OpenApiDocument): void {
  for (const { operation, pathParameters } of listOperations(document)) {
    const { params, query, body, status, answer } = recordedExamples[operation.operationId] ?? {};
    const parameters = [
      ...pathParameters.map((parameter) => ({ parameter, values: params })),
      ...(operation.parameters ?? []).map((parameter) => ({ parameter, values: query })),
    ];
    for (const { parameter, values } of parameters) {
      const value = values?.[parameter.name ?? ""];
      // Operations share the parameters of their path: the first recorded one sets the example.
      if (value === undefined || parameter.example !== undefined) continue;
      parameter.example = parameter.schema?.type === "boolean" ? value === "true" : value;
    }
    const request = operation.requestBody?.content?.[JSON_MEDIA_TYPE];
    if (request && body !== undefined) request.example = body;
    const response = operation.responses[String(status)]?.content?.[JSON_MEDIA_TYPE];
    if (response && answer !== undefined) response.example = answer;
  }

  // The example of a failure is the first reason with its status.
  const responses = document.components.responses as Record<string, ResponseObject>;
  for (const [status, { name }] of Object.entries(failuresByStatus)) {
    const error = listErrorReasons().find((error) => error.status === Number(status));
    const content = responses[name]?.content?.[JSON_MEDIA_TYPE];
    if (!error || !content) continue;
    const { reason, sentence } = error;
    content.example = { error: { code: error.status, message: sentence, reason, requestId: "k3v9x2-17" } };
  }
}
