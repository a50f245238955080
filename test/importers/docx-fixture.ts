// Word documents made by hand, part by part.

import { strToU8, zipSync } from "fflate";

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const DRAWING =
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';
const MORE =
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml"';
const RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships";
const TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** The smallest PNG: one pixel. */
export const PIXEL = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
  (character) => character.charCodeAt(0),
);

export const STYLES = `<w:styles ${W}>
  <w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>
  ${[1, 2, 3, 4].map((n) => `<w:style w:type="paragraph" w:styleId="berschrift${n}"><w:name w:val="heading ${n}"/></w:style>`).join("")}
  <w:style w:type="paragraph" w:styleId="Own"><w:name w:val="My Chapter"/><w:basedOn w:val="berschrift2"/></w:style>
  <w:style w:type="paragraph" w:styleId="Code"><w:name w:val="Source Code"/></w:style>
  <w:style w:type="paragraph" w:styleId="Quote"><w:name w:val="Quote"/></w:style>
  <w:style w:type="paragraph" w:styleId="Caption"><w:name w:val="caption"/></w:style>
  <w:style w:type="paragraph" w:styleId="TOC1"><w:name w:val="toc 1"/></w:style>
  <w:style w:type="paragraph" w:styleId="Bullets"><w:name w:val="List Bullet"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
  <w:style w:type="character" w:styleId="Strong"><w:name w:val="Strong"/><w:rPr><w:b/></w:rPr></w:style>
  <w:style w:type="character" w:styleId="VerbatimChar"><w:name w:val="Verbatim Char"/></w:style>
</w:styles>`;

export const NUMBERING = `<w:numbering ${W}>
  <w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
  <w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="lowerLetter"/></w:lvl></w:abstractNum>
  <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
  <w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
  <w:num w:numId="3"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>
</w:numbering>`;

/** A run of text. */
export const run = (text: string, properties = "") =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;

/** A paragraph; a text alone is a run. */
export const p = (content: string, properties = "") =>
  `<w:p><w:pPr>${properties}</w:pPr>${content.startsWith("<") ? content : run(content)}</w:p>`;

export const style = (id: string) => `<w:pStyle w:val="${id}"/>`;
export const item = (list: number, level: number) =>
  `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`;
export const image = (id: string, alt: string) =>
  `<w:r><w:drawing><wp:inline><wp:docPr id="1" name="Picture" descr="${alt}"/><a:graphic><a:graphicData><pic><a:blip r:embed="${id}"/></pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
export const cell = (content: string, properties = "") =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${content.startsWith("<") ? content : p(content)}</w:tc>`;
export const row = (...cells: string[]) => `<w:tr>${cells.join("")}</w:tr>`;
export const table = (...rows: string[]) => `<w:tbl><w:tblPr/>${rows.join("")}</w:tbl>`;

const relationship = ([id, [type, target]]: [string, readonly [string, string]]) =>
  `<Relationship Id="${id}" Type="${TYPES}/${type}" Target="${target}"${/^https?:/.test(target) ? ' TargetMode="External"' : ""}/>`;

export interface DocxParts {
  readonly footnotes?: string;
  readonly title?: string;
  /** By id: type and target. */
  readonly relationships?: Record<string, readonly [type: string, target: string]>;
  readonly files?: Record<string, Uint8Array>;
  /** Instead of the whole of document.xml. */
  readonly document?: string;
}

/** A document with this body. */
export function docx(body: string, parts: DocxParts = {}): Uint8Array {
  const related = {
    s: ["styles", "styles.xml"],
    n: ["numbering", "numbering.xml"],
    f: ["footnotes", "footnotes.xml"],
    ...parts.relationships,
  } as const;
  const relationships = (all: string) => `<Relationships xmlns="${RELATIONSHIPS}">${all}</Relationships>`;
  const xml = (text: string) => strToU8(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${text}`);
  return zipSync({
    "[Content_Types].xml": xml("<Types/>"),
    "_rels/.rels": xml(relationships(relationship(["m", ["officeDocument", "word/document.xml"]]))),
    "word/_rels/document.xml.rels": xml(relationships(Object.entries(related).map(relationship).join(""))),
    "word/document.xml": xml(
      parts.document ?? `<w:document ${W} ${R} ${DRAWING} ${MORE}><w:body>${body}<w:sectPr/></w:body></w:document>`,
    ),
    "word/styles.xml": xml(STYLES),
    "word/numbering.xml": xml(NUMBERING),
    "word/footnotes.xml": xml(`<w:footnotes ${W} ${R}>${parts.footnotes ?? ""}</w:footnotes>`),
    ...(parts.title === undefined
      ? {}
      : {
          "docProps/core.xml": xml(
            `<cp xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${parts.title}</dc:title></cp>`,
          ),
        }),
    ...parts.files,
  });
}
