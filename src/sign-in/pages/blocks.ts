// The building blocks of pages: plain HTML that works without scripts.

import { type HtmlValue, html, type Markup } from "../../utils/html";

/** Renders a form that posts to `action`. `hidden` adds hidden fields; undefined values are omitted. */
export function renderForm(
  action: string,
  inner: HtmlValue,
  hidden: Readonly<Record<string, string | undefined>> = {},
): Markup {
  const hiddenFields = Object.entries(hidden).map(
    ([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form method="post" action="${action}">${hiddenFields}${inner}</form>`;
}

export interface FormField {
  readonly name: string;
  readonly label: string;
  /** Default: `text`. */
  readonly type?: "text" | "email" | "password";
  readonly value?: string | undefined;
  /** A text below the field. */
  readonly hint?: string | undefined;
  /** An error below the field. */
  readonly error?: string | undefined;
  /** The `autocomplete` token, such as `email` or `one-time-code`. Default: `off`. */
  readonly autocomplete?: string;
  readonly maxLength?: number;
  /** Styles the field for a code that is copied by eye. */
  readonly isCode?: boolean;
  /** Default: true. */
  readonly isRequired?: boolean;
}

export function renderFormField(fieldOptions: FormField): Markup {
  const { name, label, type = "text", value = "", hint, error, autocomplete = "off", maxLength = 255 } = fieldOptions;
  const { isRequired = true, isCode = false } = fieldOptions;
  const descriptionIds = [error !== undefined && `${name}-wrong`, hint !== undefined && `${name}-hint`].filter(Boolean);
  const attributes = [
    html`id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"`,
    html` maxlength="${maxLength}" dir="auto"`,
    isRequired && html` required`,
    isCode && html` class="code" autocapitalize="characters" spellcheck="false"`,
    error !== undefined && html` aria-invalid="true"`,
    descriptionIds.length > 0 && html` aria-describedby="${descriptionIds.join(" ")}"`,
  ];
  return html`<div><label for="${name}">${label}</label>
<input ${attributes}>
${error !== undefined && html`<p class="bad" id="${name}-wrong">${error}</p>`}${
  hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`
}</div>`;
}

/** Renders the button of a form. `name` and `value` are sent if the form has several buttons. */
export function renderButton(
  label: HtmlValue,
  {
    isSecondary = false,
    name,
    value,
  }: { readonly isSecondary?: boolean; readonly name?: string; readonly value?: string } = {},
): Markup {
  const attributes = name !== undefined && html` name="${name}" value="${value ?? ""}"`;
  return html`<button${isSecondary && html` class="second"`}${attributes}>${label}</button>`;
}

/** Renders a link that looks like a button. Unlike a form, a link may lead to another host. */
export function renderLinkButton(href: string, label: HtmlValue, { isSecondary = false } = {}): Markup {
  return html`<a class="button${isSecondary && " second"}" href="${href}">${label}</a>`;
}

/** Renders a list, or buttons one below the other. */
export function renderList(kind: "list" | "buttons", items: readonly HtmlValue[]): Markup {
  return html`<ul class="${kind}">${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

/** Renders an error. Screen readers announce it at once. */
export function renderErrorMessage(inner: HtmlValue): Markup {
  return html`<p class="bad" role="alert">${inner}</p>`;
}
