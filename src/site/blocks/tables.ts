// Tables: as a grid, or as cards. A table may have millions of cells that nothing is in: a short text can say a long head and
// many short rows. So every row is drawn by what is in it, and its empty cells are taken from the budget of the page.

import type {
  BlockOf,
  CellValue,
  ColumnDefinition,
  ContentRef,
  Fragment,
  Phrasing,
  TableRecord,
} from "../../content/document";
import { html, type Markup } from "../../utils/html";
import type { BlockContext } from "../pages/block-context";
import { findFragment, type RenderBlocks } from "./fragments";
import { renderInlineImage, renderReferenceCard } from "./media";
import { renderPhrasing } from "./text";

type Fragments = ReadonlyMap<string | undefined, Fragment>;

export function renderTable(block: BlockOf<"table">, context: BlockContext, blocks: RenderBlocks): Markup {
  const { view, records, definition, fullWidth } = block.data!;
  const rows = Object.values(records).sort((a, b) => (a.orderIndex < b.orderIndex ? -1 : 1));
  const [titles, cells] = [new Map<string | undefined, Fragment>(), new Map<string | undefined, Fragment>()];
  for (const it of block.fragments ?? []) (it.type === "column-title" ? titles : cells).set(it.fragment, it);
  const caption = findFragment(block.fragments, "caption");
  const words = caption && blocks(caption.nodes);
  const columns = view.columns.flatMap((id) => definition[id] ?? []);
  const indexes = new Map(columns.map(({ id }, index) => [id, index]));
  const labels = new Map(columns.map(({ id, options = [] }) => [id, indexOptionLabels(options)]));
  const cell = (record: TableRecord, column: ColumnDefinition) =>
    renderCell(record.values[column.id], column, cells, labels.get(column.id)!, context, blocks);
  if (view.type === "cards") {
    const { targetDefinition: target, coverDefinition: cover, cardSize } = view;
    const cards = rows.map((record) => {
      const place = resolveCardLink(record, target, context);
      const image = renderCardCover(record, cover, context);
      const body = listFilledColumns(record, indexes)
        .map((index) => columns[index]!)
        .filter(({ id }) => id !== cover && id !== target)
        .map((column) => cell(record, column))
        .filter((it) => it !== undefined);
      return html`<li class="card">${image}<div class="body">${body.map((it) => html`<div>${it}</div>`)}</div>${place && html`<a class="cover-link" ${context.renderLinkAttributes(place.href)} aria-label="${place.title}"></a>`}</li>`;
    });
    const title = words && html`<div class="caption">${words}</div>`;
    return html`${title}<ul class="cards ${cardSize}${fullWidth && " full"}">${cards}</ul>`;
  }
  const align = ({ textAlignment }: ColumnDefinition) =>
    textAlignment !== undefined && textAlignment !== "left" && html` class="${textAlignment}"`;
  const titleOf = ({ id, title }: ColumnDefinition) => {
    const words = titles.get(id)?.nodes[0]?.nodes as Phrasing[] | undefined;
    return words ? renderPhrasing(words, context, blocks) : title;
  };
  const head = html`<thead><tr>${columns.map((it) => html`<th scope="col"${align(it)}>${titleOf(it)}</th>`)}</tr></thead>`;
  const emptyCells = (from: number, to: number) =>
    to - from < 2 || (to - from <= MAX_EMPTY_RUN && context.budget.take((to - from) * EMPTY_CELL.length))
      ? columns.slice(from, to).map((column) => html`<td${align(column)}></td>`)
      : html`<td colspan="${Math.min(to - from, MAX_COLSPAN)}"></td>`;
  const body = rows.map((record) => {
    const drawn: (Markup | Markup[])[] = [];
    let next = 0;
    for (const index of listFilledColumns(record, indexes)) {
      const column = columns[index]!;
      drawn.push(emptyCells(next, index), html`<td${align(column)}>${cell(record, column)}</td>`);
      next = index + 1;
    }
    return html`<tr>${drawn}${emptyCells(next, columns.length)}</tr>`;
  });
  // The region scrolls on a narrow screen, so the keyboard must reach it.
  return html`<div class="table${fullWidth && " full"}" tabindex="0"><table>${words && html`<caption>${words}</caption>`}${!view.hideHeader && head}<tbody>${body}</tbody></table></div>`;
}

/** The most empty cells beside one another that are drawn one by one, as GFM has them. */
const MAX_EMPTY_RUN = 20;
const EMPTY_CELL = '<td class="center"></td>';
/** The most columns that one cell takes in a browser. */
const MAX_COLSPAN = 1000;

/** The columns that a record has values for, by their places. */
function listFilledColumns({ values }: TableRecord, indexes: ReadonlyMap<string, number>): number[] {
  return Object.keys(values)
    .flatMap((id) => indexes.get(id) ?? [])
    .sort((a, b) => a - b);
}

function indexOptionLabels(options: NonNullable<ColumnDefinition["options"]>): ReadonlyMap<string, string> {
  // The first of two with the same value counts.
  return new Map(options.toReversed().map(({ value, label }) => [value, label]));
}

function renderCell(
  value: CellValue | undefined,
  { type, max }: ColumnDefinition,
  cells: Fragments,
  labels: ReadonlyMap<string, string>,
  context: BlockContext,
  blocks: RenderBlocks,
): Markup | undefined {
  if (value === undefined || value === "") return undefined;
  switch (type) {
    case "text": {
      const fragment = cells.get(String(value));
      return fragment && blocks(fragment.nodes);
    }
    case "number":
      return html`${String(value)}`;
    case "checkbox":
      return html`<span role="img" aria-label="${value === true ? "✓" : "✗"}">${value === true ? "✓" : "✗"}</span>`;
    case "rating":
      return renderStars(Number(value), max);
    case "select":
      return html`${[value].flat().map((it) => renderOption(String(it), labels))}`;
    case "image":
      return renderInlineImage({ ref: value as ContentRef }, context);
    default:
      return html`${listReferences(value).map((ref) => renderCellLink(ref, type, context))}`;
  }
}

/** The most stars of a rating. A scale with more steps is drawn in proportion. */
const MAX_STARS = 10;

function renderStars(value: number, max = 5): Markup {
  const all = Math.min(max, MAX_STARS);
  const given = Math.min(all, Math.max(0, Math.round((value / max) * all) || 0));
  return html`<span role="img" aria-label="${value} / ${max}">${"★".repeat(given)}${"☆".repeat(all - given)}</span>`;
}

function renderOption(value: string, labels: ReadonlyMap<string, string>): Markup {
  return html`<span class="option">${labels.get(value) ?? value}</span>`;
}

function listReferences(value: CellValue): ContentRef[] {
  return [value].flat().filter((it): it is ContentRef => typeof it === "object");
}

function renderCellLink(ref: ContentRef, type: ColumnDefinition["type"], context: BlockContext): Markup {
  if (type === "files") {
    const file = context.resolveFile(ref);
    return file ? html`<a href="${file.url}" download="${file.name}">${file.name}</a> ` : html``;
  }
  const place = context.resolveLink(ref);
  if (type === "content-ref") return renderReferenceCard(place, context);
  return place ? html`<span class="mention">${place.title}</span> ` : html``;
}

function resolveCardLink(record: TableRecord, column: string | undefined, context: BlockContext) {
  const [ref] = column === undefined ? [] : listReferences(record.values[column] ?? []);
  return ref && context.resolveLink(ref);
}

function renderCardCover(record: TableRecord, column: string | undefined, context: BlockContext): Markup | undefined {
  const [ref] = column === undefined ? [] : listReferences(record.values[column] ?? []);
  const file = ref && context.resolveFile(ref);
  return file && html`<img class="cover" src="${file.url}" alt="" loading="lazy" decoding="async">`;
}
