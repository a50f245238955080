// What a request or an answer has in it: its media types, the members of each, and examples.

import { answerOf, type Message } from "../../openapi/specifications/pages/bodies";
import { constraints } from "../../openapi/specifications/pages/constraints";
import { type Body, type Example, givenIn } from "../../openapi/specifications/pages/examples";
import { jsonWithin } from "../../openapi/specifications/pages/json";
import { kindOf } from "../../openapi/specifications/pages/kinds";
import { isValues, membersIn, type Placed, textIn } from "../../openapi/specifications/pages/pointers";
import { sampleOf } from "../../openapi/specifications/pages/samples";
import { wholeOf } from "../../openapi/specifications/pages/whole";
import { html, type Markup } from "../../utils/html";
import { tryParseUrl } from "../../utils/url";
import {
  type ApiContext,
  renderDescription,
  renderInlineDescription,
  renderTabPanels,
  renderTextAsCode,
} from "./api-context";
import { renderHeaders } from "./parameters";
import { renderMembers } from "./schema-members";

/** The most answers and examples that are shown, and the most characters of an example. */
const MOST_ANSWERS = 40;
const MOST_EXAMPLES = 5;
const MOST_EXAMPLE = 8000;

/** The bodies of a message; where there are several, one is seen at a time. */
export function renderBodies({ bodies: given }: Message, apiContext: ApiContext): Markup {
  const [first, ...others] = given.slice(0, MOST_ANSWERS);
  if (!first) return html``;
  if (others.length === 0) return renderBody(first, apiContext);
  const shown = [first, ...others].map((body) => ({
    label: body.types[0] ?? "",
    content: renderBody(body, apiContext),
  }));
  return renderTabPanels(shown, apiContext);
}

function renderBody(body: Body, apiContext: ApiContext): Markup {
  const { schema, document, types } = body;
  const { resolve } = apiContext;
  const whole = wholeOf(resolve, schema, document);
  const kind = kindOf(resolve, schema, document);
  const own =
    textIn(schema, "$ref") === undefined ? renderDescription(textIn(schema, "description"), 3, apiContext) : undefined;
  const limits = whole && renderDescription(constraints(resolve, whole), "item", apiContext);
  const named = types.slice(0, MOST_ANSWERS).map((type) => html`<code>${type}</code> `);
  return html`${(named.length > 0 || kind !== "") && html`<p class="media">${named}${kind !== "" && html`<span class="kind">${kind}</span>`}</p>`}${own}${limits}${isValues(schema) && renderMembers(schema, document, apiContext)}${renderExamples(body, apiContext)}`;
}

/** The examples of a body: those that are given, otherwise one that is made of its schema. */
export function renderExamples(body: Body, apiContext: ApiContext): Markup {
  const given = [...givenIn(apiContext.resolve, body)].slice(0, MOST_EXAMPLES);
  if (given.length > 0) return html`${given.map((it) => renderExample(it, body, apiContext))}`;
  const made = generateExample(body, apiContext);
  return made === undefined ? html`` : renderTextAsCode(made, "json", apiContext, apiContext.messages.example);
}

function renderExample(
  { name, description, value, external, type }: Example,
  body: Body,
  apiContext: ApiContext,
): Markup {
  const title =
    name === undefined ? apiContext.messages.example : `${apiContext.messages.example}: ${name.slice(0, 200)}`;
  const about = renderDescription(description, "item", apiContext);
  if (value === undefined) {
    const url = tryParseUrl(external ?? "");
    const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
    return html`${isWeb && html`<p><a href="${url.href}" rel="nofollow">${title}</a></p>`}${about}`;
  }
  return html`${about}${renderTextAsCode(formatExample(value, type ?? body.types[0] ?? ""), getExampleSyntax(value, type ?? body.types[0] ?? ""), apiContext, title)}`;
}

/** The text of an example. */
function formatExample(value: unknown, type: string): string {
  if (typeof value === "string" && !/json/i.test(type)) return value.slice(0, MOST_EXAMPLE).replaceAll("\r\n", "\n");
  return jsonWithin(value, MOST_EXAMPLE).text;
}

function getExampleSyntax(value: unknown, type: string): string {
  if (typeof value !== "string") return "json";
  return /\b(json|xml|yaml|html|csv)\b/i.exec(type)?.[1]?.toLowerCase() ?? "text";
}

function generateExample({ schema, document, types, use }: Body, { resolve }: ApiContext): string | undefined {
  if (types.length > 0 && !types.some((type) => /\bjson\b|\*\/\*/i.test(type))) return undefined;
  const sample = sampleOf(resolve, schema, document, use);
  if ((!isValues(sample) && !Array.isArray(sample)) || Object.keys(sample).length === 0) return undefined;
  const { text, isWhole } = jsonWithin(sample, MOST_EXAMPLE);
  return isWhole ? text : undefined;
}

/** The first example of a body, as it would be sent; undefined where there is none. */
export function getFirstExample(body: Body, { resolve }: Pick<ApiContext, "resolve">): unknown {
  const [given] = givenIn(resolve, body);
  return given?.value ?? sampleOf(resolve, body.schema, body.document, body.use);
}

/** The answers of an operation, each below its status. The first that says that all went well is open. */
export function renderResponses(
  { value, document }: Placed,
  types: readonly string[],
  apiContext: ApiContext,
): Markup | undefined {
  const all = membersIn(value, "responses");
  if (all.length === 0) return undefined;
  const good = all.findIndex(([status]) => /^2/.test(status));
  const shown = all.slice(0, MOST_ANSWERS).flatMap(([status, given], i) => {
    const found = apiContext.resolve(given, document);
    return found ? [renderResponse(status, answerOf(found, types), i === Math.max(0, good), apiContext)] : [];
  });
  return html`<div class="answers">${shown}${all.length > MOST_ANSWERS && html`<p class="quiet">${apiContext.messages.more}</p>`}</div>`;
}

function renderResponse(status: string, message: Message, isOpen: boolean, apiContext: ApiContext): Markup {
  const about = textIn(message.value, "description") ?? textIn(message.value, "summary");
  const short = renderInlineDescription(about);
  const name = status === "default" ? apiContext.messages.otherAnswers : status.slice(0, 20);
  const inner = html`${!short && renderDescription(about, 3, apiContext)}${renderHeaders(message, apiContext)}${renderBodies(message, apiContext)}`;
  const head = html`<span class="status ${getStatusClass(status)}">${name}</span>${short && html` <span class="short">${short}</span>`}`;
  if (inner.text === "") return html`<p class="answer">${head}</p>`;
  return html`<details class="answer"${isOpen && html` open`}><summary>${head}</summary><div>${inner}</div></details>`;
}

function getStatusClass(status: string): string {
  return /^[1-5]/.test(status) ? `s${status[0]}` : "";
}
