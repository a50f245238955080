// The bodies of requests and responses: media types, members, and examples.

import { getResponseMessage, type Message } from "../../openapi/specifications/pages/bodies";
import { describeConstraints } from "../../openapi/specifications/pages/constraints";
import { describeSchemaType } from "../../openapi/specifications/pages/describe-type";
import { PLAIN_MARKDOWN } from "../../openapi/specifications/pages/descriptions";
import { iterateExamples, type MessageBody } from "../../openapi/specifications/pages/examples";
import { formatJson } from "../../openapi/specifications/pages/json";
import { mergeSchema } from "../../openapi/specifications/pages/merge-schema";
import { getMemberEntries, getTextMember, type Located } from "../../openapi/specifications/pages/resolve-references";
import { createSample } from "../../openapi/specifications/pages/samples";
import { html, type Markup, renderInlineMarkup } from "../../utils/html";
import { isJsonObject } from "../../utils/objects";
import { tryParseUrl } from "../../utils/url";
import { renderTabs } from "../blocks/tabs";
import { type ApiContext, renderDescription, renderTextAsCode } from "./api-context";
import { renderParameterList } from "./parameters";
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
  if (given.length === 0) {
    if (types.length > 0 && !types.some((type) => /\bjson\b|\*\/\*/i.test(type))) return html``;
    const sample = createSample(resolve, schema, document, use);
    if ((!isJsonObject(sample) && !Array.isArray(sample)) || Object.keys(sample).length === 0) return html``;
    const { text, isWhole } = formatJson(sample, MAX_EXAMPLE_LENGTH);
    return isWhole ? renderTextAsCode(text, "json", apiContext, messages.example) : html``;
  }

  const examples = given.map(({ name, description, value, external, type: exampleType }) => {
    const title = name === undefined ? messages.example : `${messages.example}: ${name.slice(0, 200)}`;
    const about = renderDescription(description, "item", apiContext);
    if (value === undefined) {
      const url = tryParseUrl(external ?? "");
      const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
      return html`${isWeb && html`<p><a href="${url.href}" rel="nofollow">${title}</a></p>`}${about}`;
    }
    const type = exampleType ?? types[0] ?? "";
    const text =
      typeof value === "string" && !/json/i.test(type)
        ? value.slice(0, MAX_EXAMPLE_LENGTH).replaceAll("\r\n", "\n")
        : formatJson(value, MAX_EXAMPLE_LENGTH).text;
    const syntax =
      typeof value === "string" ? (/\b(json|xml|yaml|html|csv)\b/i.exec(type)?.[1]?.toLowerCase() ?? "text") : "json";
    return html`${about}${renderTextAsCode(text, syntax, apiContext, title)}`;
  });
  return html`${examples}`;
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
    if (!found) return [];
    const message = getResponseMessage(found, types);
    const description = getTextMember(found.value, "description") ?? getTextMember(found.value, "summary");
    const text = description?.trim() ?? "";
    const isShort = text !== "" && text.length <= MAX_INLINE_LENGTH && PLAIN_MARKDOWN.test(text);
    const headers = getMemberEntries(found.value, "headers").flatMap(([name, it]) => {
      const header = apiContext.resolve(it, found.document);
      return header ? [[name, header] as const] : [];
    });
    const content = [
      !isShort && renderDescription(description, 3, apiContext),
      headers.length > 0 &&
        html`<p class="part">${apiContext.messages.headers}</p>${renderParameterList(headers, apiContext)}`,
      renderBodies(message, apiContext),
    ];
    const name = status === "default" ? apiContext.messages.otherAnswers : status.slice(0, 20);
    const statusClass = /^[1-5]/.test(status) ? `s${status[0]}` : "";
    const head = html`<span class="status ${statusClass}">${name}</span>${
      isShort && html` <span class="short">${renderInlineMarkup(text)}</span>`
    }`;
    const inner = html`${content}`;
    if (inner.text === "") return [html`<p class="answer">${head}</p>`];
    const isOpen = i === Math.max(0, success);
    return [
      html`<details class="answer"${isOpen && html` open`}><summary>${head}</summary><div>${inner}</div></details>`,
    ];
  });
  const more = responses.length > MAX_SHOWN && html`<p class="quiet">${apiContext.messages.more}</p>`;
  return html`<div class="answers">${items}${more}</div>`;
}
