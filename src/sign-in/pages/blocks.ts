// What pages are made of. Each block is plain HTML that works without scripts.

import { type HtmlValue, html, type Markup } from "../../utils/html";

/** A form that is posted to a path of ours. `hidden` goes along unseen; what is undefined is left out. */
export function form(
  action: string,
  inner: HtmlValue,
  hidden: Readonly<Record<string, string | undefined>> = {},
): Markup {
  const carried = Object.entries(hidden).map(
    ([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form method="post" action="${action}">${carried}${inner}</form>`;
}

/** A field with its label. */
export interface Field {
  readonly name: string;
  readonly label: string;
  /** Default: `text`. */
  readonly type?: "text" | "email" | "password";
  readonly value?: string | undefined;
  /** What stands below it. */
  readonly hint?: string | undefined;
  /** What is wrong with what was typed. */
  readonly wrong?: string | undefined;
  /** What a browser may fill in, such as `email` or `one-time-code`. Default: nothing. */
  readonly autocomplete?: string;
  readonly maxLength?: number;
  /** Whether it is a code to copy by eye. */
  readonly isCode?: boolean;
  /** Default: true. */
  readonly isRequired?: boolean;
}

export function field(it: Field): Markup {
  const { name, label, type = "text", value = "", hint, wrong, autocomplete = "off", maxLength = 255 } = it;
  const described = [wrong !== undefined && `${name}-wrong`, hint !== undefined && `${name}-hint`].filter(Boolean);
  return html`<div><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}" maxlength="${maxLength}" dir="auto"${
    it.isRequired !== false && html` required`
  }${it.isCode === true && html` class="code" autocapitalize="characters" spellcheck="false"`}${
    wrong !== undefined && html` aria-invalid="true"`
  }${described.length > 0 && html` aria-describedby="${described.join(" ")}"`}>
${wrong !== undefined && html`<p class="bad" id="${name}-wrong">${wrong}</p>`}${
  hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`
}</div>`;
}

/** The button of a form. `name` and `value` say which of several it was. */
export function button(
  label: HtmlValue,
  {
    isSecond = false,
    name,
    value,
  }: { readonly isSecond?: boolean; readonly name?: string; readonly value?: string } = {},
): Markup {
  const sent = name !== undefined && html` name="${name}" value="${value ?? ""}"`;
  return html`<button${isSecond && html` class="second"`}${sent}>${label}</button>`;
}

/** A link that looks like a button. A link may lead to another host, where a form may not. */
export function linkButton(href: string, label: HtmlValue, { isSecond = false } = {}): Markup {
  return html`<a class="button${isSecond && " second"}" href="${href}">${label}</a>`;
}

/** Buttons, one below the other. */
export function buttons(items: readonly Markup[]): Markup {
  return html`<ul class="buttons">${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

/** The line between two ways to do something. */
export function or(word: string): Markup {
  return html`<p class="or">${word}</p>`;
}

/** A sentence that stands out. */
export function note(inner: HtmlValue): Markup {
  return html`<p class="note">${inner}</p>`;
}

/** A sentence about what went wrong. Screen readers say it at once. */
export function problem(inner: HtmlValue): Markup {
  return html`<p class="bad" role="alert">${inner}</p>`;
}

/** A list of things, each with what belongs to it. */
export function list(items: readonly HtmlValue[]): Markup {
  return html`<ul class="list">${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

/** A name that somebody chose. It may be written in the other direction than the sentence around it. */
export function named(name: string): Markup {
  return html`<bdi>${name}</bdi>`;
}
