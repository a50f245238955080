// Elements of the page, found and made. Text is always put in as text.

/** An element with attributes and with what is inside of it. */
export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...inside: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...inside);
  return element;
}

/** All elements that a selector means. */
export function findAll<Kind extends HTMLElement = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): Kind[] {
  return [...within.querySelectorAll<Kind>(selector)];
}

/** What the server says to the script. */
export interface ScriptConfig {
  readonly copy: string;
  readonly copied: string;
  readonly search: string;
  readonly close: string;
  readonly nothingFound: string;
  readonly results: string;
  /** Where to search; left out where there is no server to ask. */
  readonly searchAt?: string;
  /** Where questions are asked, and words for it; left out where nobody answers. */
  readonly asking?: { readonly at: string; readonly ask: string; readonly answering: string; readonly failed: string };
  /** Where diagrams are drawn, if they are. */
  readonly diagramAt?: string;
  readonly diagram?: string;
  /** Where a view of the page is reported, and the page; left out where views are not counted. */
  readonly viewAt?: string;
  readonly page?: string;
  /** The path of the site. */
  readonly base: string;
}
