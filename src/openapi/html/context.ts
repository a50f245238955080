// The context that operations and schemas are rendered in. Each place that shows them has its own descriptions, code blocks and limits.

import type { Messages } from "../../locales/messages";
import type { HtmlValue, Markup } from "../../utils/html";
import type { DescriptionPlace } from "../model/descriptions";

export interface ApiRenderContext {
  readonly messages: Messages["openapi"];
  /** The deepest level of nested members. */
  readonly maxDepth: number;
  /** Schemas whose members are already listed, with the ids of the lists. */
  readonly listedSchemas: Map<object, string>;
  /** The number of members that may still be listed. */
  remainingMembers: number;
  renderTitle(text: string): Markup;
  /** Renders a description in Markdown. Returns undefined if it is empty, or there is no room for it. */
  renderDescription(text: string | undefined, place: DescriptionPlace): Markup | undefined;
  renderKind(kind: string): HtmlValue;
  /** Renders a text as a code block. Returns nothing if there is no room for it. */
  renderCode(text: string, syntax: string, title?: string): Markup;
  /** Renders the forms of the same thing, such as its samples. */
  renderAlternatives(alternatives: readonly { readonly label: string; readonly content: Markup }[]): Markup;
  /** Returns true if there is room for a number of characters, and takes it. */
  takeRoom(characters: number): boolean;
  /** Returns a number that no other element of the page has. */
  createElementNumber(): number;
}
