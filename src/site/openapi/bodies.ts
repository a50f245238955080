// The bodies of requests and responses: media types, members, and examples.

import { getResponseMessage, type Message } from "../../openapi/specifications/pages/bodies";
import { describeConstraints } from "../../openapi/specifications/pages/constraints";
import { describeSchemaType } from "../../openapi/specifications/pages/describe-type";
import { isPlainMarkdown } from "../../openapi/specifications/pages/descriptions";
import { type Example, iterateExamples, type MessageBody } from "../../openapi/specifications/pages/examples";
import { formatJson } from "../../openapi/specifications/pages/json";
import { mergeSchema } from "../../openapi/specifications/pages/merge-schema";
import { getMemberEntries, getTextMember, type Located } from "../../openapi/specifications/pages/resolve-references";
import { createSample } from "../../openapi/specifications/pages/samples";
import { html, type Markup, renderInlineMarkup } from "../../utils/html";
import { isJsonObject } from "../../utils/objects";
import { tryParseUrl } from "../../utils/url";
import { renderTabs } from "../blocks/tabs";
import { type ApiContext, renderDescription, renderTextAsCode } from "./api-context";
import { renderHeaders } from "./parameters";
import { renderMembers } from "./schema-members";

/** The most responses, bodies or media types that are shown. */
const MAX_SHOWN = 40;
const MAX_EXAMPLES = 5;
const MAX_EXAMPLE_LENGTH = 8000;
/** The longest description that can stand beside the status of a response. */
const MAX_INLINE_LENGTH = 300;

/** Renders the bodies of a message, as tabs if there are several. */
export function renderBodies({ bodies }: Message, apiContext: ApiContext): Markup {
  const { resolve } = apiContext;
  const contents = bodies.slice(0, MAX_SHOWN).map((body) => {
    const { schema, document, types } = body;
    const whole = mergeSchema(resolve, schema, document);
    const kind = describeSchemaType(resolve, schema, document);
    const description =
      getTextMember(schema, "$ref") === undefined
        ? renderDescription(getTextMember(schema, "description"), 3, apiContext)
        : undefined;
    const limits = whole && renderDescription(describeConstraints(resolve, whole), "item", apiContext);
    const typeNames = types.slice(0, MAX_SHOWN).map((type) => html`<code>${type}</code> `);
    const media =
      (typeNames.length > 0 || kind !== "") &&
      html`<p class="media">${typeNames}${kind !== "" && html`<span class="kind">${kind}</span>`}</p>`;
    const members = isJsonObject(schema) && renderMembers(schema, document, apiContext);
    const content = html`${media}${description}${limits}${members}${renderExamples(body, apiContext)}`;
    return { label: types[0] ?? "", content };
  });
  if (contents.length <= 1) return html`${contents.map(({ content }) => content)}`;
  const panels = contents.map(({ label, content }) => ({ label, renderContent: () => content }));
  return renderTabs(panels, apiContext.blockContext);
}

/** Renders the examples of a body: those of the specification, otherwise one that is generated from the schema. */
export function renderExamples(body: MessageBody, apiContext: ApiContext): Markup {
  const { schema, document, types, use } = body;
  const { resolve, messages } = apiContext;
  const given = [...iterateExamples(resolve, body)].slice(0, MAX_EXAMPLES);
  if (given.length > 0) return html`${given.map((example) => renderExample(example, body, apiContext))}`;

  if (types.length > 0 && !types.some((type) => /\bjson\b|\*\/\*/i.test(type))) return html``;
  const sample = createSample(resolve, schema, document, use);
  if ((!isJsonObject(sample) && !Array.isArray(sample)) || Object.keys(sample).length === 0) return html``;
  const { text, isWhole } = formatJson(sample, MAX_EXAMPLE_LENGTH);
  return isWhole ? renderTextAsCode(text, "json", apiContext, messages.example) : html``;
}

function renderExample(
  { name, description, value, external, type: exampleType }: Example,
  body: MessageBody,
  apiContext: ApiContext,
): Markup {
  const { messages } = apiContext;
  const title = name === undefined ? messages.example : `${messages.example}: ${name.slice(0, 200)}`;
  const about = renderDescription(description, "item", apiContext);
  if (value === undefined) {
    const url = tryParseUrl(external ?? "");
    const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
    return html`${isWeb && html`<p><a href="${url.href}" rel="nofollow">${title}</a></p>`}${about}`;
  }
  const type = exampleType ?? body.types[0] ?? "";
  const text =
    typeof value === "string" && !/json/i.test(type)
      ? value.slice(0, MAX_EXAMPLE_LENGTH).replaceAll("\r\n", "\n")
      : formatJson(value, MAX_EXAMPLE_LENGTH).text;
  const syntax =
    typeof value === "string" ? (/\b(json|xml|yaml|html|csv)\b/i.exec(type)?.[1]?.toLowerCase() ?? "text") : "json";
  return html`${about}${renderTextAsCode(text, syntax, apiContext, title)}`;
}

/** Renders the responses of an operation below their status codes. The first that is a success is open. */
export function renderResponses(
  { value, document }: Located,
  types: readonly string[],
  apiContext: ApiContext,
): Markup | undefined {
  const responses = getMemberEntries(value, "responses");
  if (responses.length === 0) return undefined;
  const success = responses.findIndex(([status]) => /^2/.test(status));
  const items = responses.slice(0, MAX_SHOWN).flatMap(([status, response], i) => {
    const found = apiContext.resolve(response, document);
    return found
      ? [renderResponse(status, getResponseMessage(found, types), i === Math.max(0, success), apiContext)]
      : [];
  });
  const more = responses.length > MAX_SHOWN && html`<p class="quiet">${apiContext.messages.more}</p>`;
  return html`<div class="answers">${items}${more}</div>`;
}

function renderResponse(status: string, message: Message, isOpen: boolean, apiContext: ApiContext): Markup {
  const description = getTextMember(message.value, "description") ?? getTextMember(message.value, "summary");
  const text = description?.trim() ?? "";
  const isShort = text !== "" && text.length <= MAX_INLINE_LENGTH && isPlainMarkdown(text);
  const content = [
    !isShort && renderDescription(description, 3, apiContext),
    renderHeaders(message, apiContext),
    renderBodies(message, apiContext),
  ];
  const name = status === "default" ? apiContext.messages.otherAnswers : status.slice(0, 20);
  const statusClass = /^[1-5]/.test(status) ? `s${status[0]}` : "";
  const head = html`<span class="status ${statusClass}">${name}</span>${
    isShort && html` <span class="short">${renderInlineMarkup(text)}</span>`
  }`;
  const inner = html`${content}`;
  if (inner.text === "") return html`<p class="answer">${head}</p>`;
  return html`<details class="answer"${isOpen && html` open`}><summary>${head}</summary><div>${inner}</div></details>`;
}
