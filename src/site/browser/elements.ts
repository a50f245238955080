// Helpers to find and create elements. Text is always inserted as text.

export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export function findAll<Kind extends HTMLElement = HTMLElement>(selector: string, root: ParentNode = document): Kind[] {
  return [...root.querySelectorAll<Kind>(selector)];
}

/** The data that the server passes to the script. */
export interface ScriptConfig {
  readonly copy: string;
  readonly copied: string;
  readonly search: string;
  readonly close: string;
  readonly nothingFound: string;
  readonly results: string;
  /** The URL of the search. An exported page has none. */
  readonly searchAt?: string;
  /** The URL of the search index of an export. In the page it is relative to the script, because pages are in many folders. */
  readonly searchIndexAt?: string;
  /** The URL and the messages for questions, if the site answers them. */
  readonly asking?: { readonly at: string; readonly ask: string; readonly answering: string; readonly failed: string };
  /** The URL of the frame that draws diagrams, if the host has set it up. */
  readonly diagramAt?: string;
  readonly diagram?: string;
  /** The URL that page views are reported to, and the id of the page, if views are counted. */
  readonly viewAt?: string;
  readonly page?: string;
  readonly base: string;
}
