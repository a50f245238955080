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
import { codeBlock, type Drawing, described, inLine, panels } from "./drawing";
import { members } from "./members";
import { headers } from "./parameters";

/** The most answers and examples that are shown, and the most characters of an example. */
const MOST_ANSWERS = 40;
const MOST_EXAMPLES = 5;
const MOST_EXAMPLE = 8000;

/** The bodies of a message; where there are several, one is seen at a time. */
export function bodies({ bodies: given }: Message, drawing: Drawing): Markup {
  const [first, ...others] = given.slice(0, MOST_ANSWERS);
  if (!first) return html``;
  if (others.length === 0) return bodyOf(first, drawing);
  const shown = [first, ...others].map((body) => ({ label: body.types[0] ?? "", content: bodyOf(body, drawing) }));
  return panels(shown, drawing);
}

function bodyOf(body: Body, drawing: Drawing): Markup {
  const { schema, document, types } = body;
  const { resolve } = drawing;
  const whole = wholeOf(resolve, schema, document);
  const kind = kindOf(resolve, schema, document);
  const own = textIn(schema, "$ref") === undefined ? described(textIn(schema, "description"), 3, drawing) : undefined;
  const limits = whole && described(constraints(resolve, whole), "item", drawing);
  const named = types.slice(0, MOST_ANSWERS).map((type) => html`<code>${type}</code> `);
  return html`${(named.length > 0 || kind !== "") && html`<p class="media">${named}${kind !== "" && html`<span class="kind">${kind}</span>`}</p>`}${own}${limits}${isValues(schema) && members(schema, document, drawing)}${examples(body, drawing)}`;
}

/** The examples of a body: those that are given, otherwise one that is made of its schema. */
export function examples(body: Body, drawing: Drawing): Markup {
  const given = [...givenIn(drawing.resolve, body)].slice(0, MOST_EXAMPLES);
  if (given.length > 0) return html`${given.map((it) => example(it, body, drawing))}`;
  const made = madeOf(body, drawing);
  return made === undefined ? html`` : codeBlock(made, "json", drawing, drawing.words.example);
}

function example({ name, description, value, external, type }: Example, body: Body, drawing: Drawing): Markup {
  const title = name === undefined ? drawing.words.example : `${drawing.words.example}: ${name.slice(0, 200)}`;
  const about = described(description, "item", drawing);
  if (value === undefined) {
    const url = tryParseUrl(external ?? "");
    const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
    return html`${isWeb && html`<p><a href="${url.href}" rel="nofollow">${title}</a></p>`}${about}`;
  }
  return html`${about}${codeBlock(exampleText(value, type ?? body.types[0] ?? ""), syntaxOf(value, type ?? body.types[0] ?? ""), drawing, title)}`;
}

/** The text of an example. */
function exampleText(value: unknown, type: string): string {
  if (typeof value === "string" && !/json/i.test(type)) return value.slice(0, MOST_EXAMPLE).replaceAll("\r\n", "\n");
  return jsonWithin(value, MOST_EXAMPLE).text;
}

function syntaxOf(value: unknown, type: string): string {
  if (typeof value !== "string") return "json";
  return /\b(json|xml|yaml|html|csv)\b/i.exec(type)?.[1]?.toLowerCase() ?? "text";
}

function madeOf({ schema, document, types, use }: Body, { resolve }: Drawing): string | undefined {
  if (types.length > 0 && !types.some((type) => /\bjson\b|\*\/\*/i.test(type))) return undefined;
  const sample = sampleOf(resolve, schema, document, use);
  if ((!isValues(sample) && !Array.isArray(sample)) || Object.keys(sample).length === 0) return undefined;
  const { text, isWhole } = jsonWithin(sample, MOST_EXAMPLE);
  return isWhole ? text : undefined;
}

/** The first example of a body, as it would be sent; undefined where there is none. */
export function firstExample(body: Body, { resolve }: Pick<Drawing, "resolve">): unknown {
  const [given] = givenIn(resolve, body);
  return given?.value ?? sampleOf(resolve, body.schema, body.document, body.use);
}

/** The answers of an operation, each below its status. The first that says that all went well is open. */
export function answers({ value, document }: Placed, types: readonly string[], drawing: Drawing): Markup | undefined {
  const all = membersIn(value, "responses");
  if (all.length === 0) return undefined;
  const good = all.findIndex(([status]) => /^2/.test(status));
  const shown = all.slice(0, MOST_ANSWERS).flatMap(([status, given], i) => {
    const found = drawing.resolve(given, document);
    return found ? [answer(status, answerOf(found, types), i === Math.max(0, good), drawing)] : [];
  });
  return html`<div class="answers">${shown}${all.length > MOST_ANSWERS && html`<p class="quiet">${drawing.words.more}</p>`}</div>`;
}

function answer(status: string, message: Message, isOpen: boolean, drawing: Drawing): Markup {
  const about = textIn(message.value, "description") ?? textIn(message.value, "summary");
  const short = inLine(about);
  const name = status === "default" ? drawing.words.otherAnswers : status.slice(0, 20);
  const inner = html`${!short && described(about, 3, drawing)}${headers(message, drawing)}${bodies(message, drawing)}`;
  const head = html`<span class="status ${statusClass(status)}">${name}</span>${short && html` <span class="short">${short}</span>`}`;
  if (inner.text === "") return html`<p class="answer">${head}</p>`;
  return html`<details class="answer"${isOpen && html` open`}><summary>${head}</summary><div>${inner}</div></details>`;
}

function statusClass(status: string): string {
  return /^[1-5]/.test(status) ? `s${status[0]}` : "";
}
