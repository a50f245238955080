// The bodies of requests and responses: media types, members, and examples.

import { html, type Markup, renderInlineMarkup } from "../../utils/html";
import { tryParseUrl } from "../../utils/url";
import { listExamples, listResponses, type Message, type MessageBody } from "../model/bodies";
import { describeConstraints } from "../model/constraints";
import { PLAIN_MARKDOWN } from "../model/descriptions";
import { getMemberEntries, getTextMember, type Located } from "../model/document";
import type { SpecificationOperation } from "../model/operations";
import { describeSchemaType, mergeSchema } from "../model/schema";
import type { ApiRenderContext } from "./context";
import { renderMembers, renderParameterList } from "./members";

/** The most responses, bodies or media types that are shown. */
const MAX_SHOWN = 40;
/** The longest description that can stand beside the status of a response. */
const MAX_INLINE_LENGTH = 300;

export function renderBodies({ bodies }: Message, context: ApiRenderContext): Markup {
  const contents = bodies.slice(0, MAX_SHOWN).map((body) => {
    const { schema, types } = body;
    const kind = describeSchemaType(schema);
    const isReference = getTextMember(schema.value, "$ref") !== undefined;
    const description = isReference
      ? undefined
      : context.renderDescription(getTextMember(schema.value, "description"), 3);
    const limits = context.renderDescription(describeConstraints(mergeSchema(schema)), "item");
    const typeNames = types.slice(0, MAX_SHOWN).map((type) => html`<code>${type}</code> `);
    const media =
      (typeNames.length > 0 || kind !== "") &&
      html`<p class="media">${typeNames}${kind !== "" && html`<span class="kind">${context.renderKind(kind)}</span>`}</p>`;
    const members = renderMembers(schema, context);
    const content = html`${media}${description}${limits}${members}${renderExamples(body, context)}`;
    return { label: types[0] ?? "", content };
  });
  return contents.length <= 1 ? html`${contents.map(({ content }) => content)}` : context.renderAlternatives(contents);
}

/** Renders the examples of a body: those of the specification, otherwise one that is generated from the schema. */
export function renderExamples(body: MessageBody, context: ApiRenderContext): Markup {
  const { example } = context.messages;
  const examples = listExamples(body).examples.map(({ name, description, external, text, language }) => {
    const title = name === undefined ? example : `${example}: ${name.slice(0, 200)}`;
    const about = context.renderDescription(description, "item");
    if (text !== undefined) return html`${about}${context.renderCode(text, language || "text", title)}`;
    const url = tryParseUrl(external ?? "");
    const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
    return html`${isWeb && html`<p><a href="${url.href}" rel="nofollow">${title}</a></p>`}${about}`;
  });
  return html`${examples}`;
}

/** Renders the responses of an operation or a callback below their status codes. The first that is a success is open. */
export function renderResponses(
  operation: Located & Partial<Pick<SpecificationOperation, "root">>,
  context: ApiRenderContext,
): Markup | undefined {
  const statuses = getMemberEntries(operation.value, "responses").map(([status]) => status);
  if (statuses.length === 0) return undefined;
  const success = statuses.findIndex((status) => /^2/.test(status));
  const items = listResponses(operation, MAX_SHOWN).map(([status, response], i) => {
    if (!response) return undefined;
    const { description, headers } = response;
    const text = description?.trim() ?? "";
    const isShort = text !== "" && text.length <= MAX_INLINE_LENGTH && PLAIN_MARKDOWN.test(text);
    const content = [
      !isShort && context.renderDescription(description, 3),
      headers.length > 0 &&
        html`<p class="part">${context.messages.headers}</p>${renderParameterList(headers, context)}`,
      renderBodies(response, context),
    ];
    const name = status === "default" ? context.messages.otherAnswers : status.slice(0, 20);
    const statusClass = /^[1-5]/.test(status) ? `s${status[0]}` : "";
    const head = html`<span class="status ${statusClass}">${name}</span>${
      isShort && html` <span class="short">${renderInlineMarkup(text)}</span>`
    }`;
    const inner = html`${content}`;
    if (inner.text === "") return html`<p class="answer">${head}</p>`;
    const isOpen = i === Math.max(0, success);
    return html`<details class="answer"${isOpen && html` open`}><summary>${head}</summary><div>${inner}</div></details>`;
  });
  const more = statuses.length > MAX_SHOWN && html`<p class="quiet">${context.messages.more}</p>`;
  return html`<div class="answers">${items}${more}</div>`;
}
