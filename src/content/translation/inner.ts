// Texts for people that stand inside of something else: titles of links and images, what an image shows, titles of tabs
// and of code. They are translated on their own, and put back before the sentences around them.

import { decodeReferences } from "../markdown/parser/references";
import { ARGUMENT, ATTRIBUTE, MAX_SOURCE, TITLE } from "./inner-sources";
import { type Piece, wordsAndVariables } from "./pieces";
import type { PiecePlace } from "./writing";

/** A text inside of something, where it stands. */
export interface InnerUnit {
  readonly place: PiecePlace;
  readonly start: number;
  readonly end: number;
  readonly pieces: readonly Piece[];
}

/** The title of a link, an image or a definition that is written as `source` at `start`. */
export function titleIn(source: string, start: number): InnerUnit[] {
  const found = source.length > MAX_SOURCE ? undefined : TITLE.exec(source);
  return found ? [unit("title", start + found.index, found[1]!, unescaped(found[1]!))] : [];
}

/** What people read of the attributes in tags of HTML. */
export function attributesIn(html: string, start: number): InnerUnit[] {
  return Array.from(html.matchAll(ATTRIBUTE), ({ 0: value, index }) =>
    unit("attribute", start + index, value, decodeReferences(value)),
  );
}

/** What people read of the argument of a tag. Tags of integrations are not known well enough. */
export function argumentIn(tag: string, start: number): InnerUnit[] {
  if (/^\{%[ \t]*@/.test(tag)) return [];
  return Array.from(tag.matchAll(ARGUMENT), ({ 0: value, index }) =>
    unit("argument", start + index, value, value.replace(/\\(["'\\])/g, "$1")),
  );
}

function unescaped(title: string): string {
  return decodeReferences(title.replace(/\\([!-/:-@[-`{-~])/g, "$1"));
}

function unit(place: PiecePlace, start: number, source: string, text: string): InnerUnit {
  return { place, start, end: start + source.length, pieces: wordsAndVariables(text, source) };
}
