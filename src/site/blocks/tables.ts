// Tables, as a grid or as cards. A short source can describe millions of empty cells: a wide header and many short rows. So each
// row is rendered from the values that it has, and its empty cells are taken from the budget of the page.

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
import type { BlockRenderContext } from "../pages/block-context";
import { findFragment, type RenderBlocks } from "./fragments";
import { renderInlineImage, renderReferenceCard } from "./media";
import { renderPhrasing } from "./text";

/** The most adjacent empty cells that are rendered one by one, as GFM has them. */
const MAX_EMPTY_RUN = 20;
const EMPTY_CELL = '<td class="center"></td>';
/** The most columns that one cell can span in a browser. */
const MAX_COLSPAN = 1000;
/** The most stars of a rating. A scale with more steps is drawn in proportion. */
const MAX_STARS = 10;

export function renderTable(block: BlockOf<"table">, context: BlockRenderContext, blocks: RenderBlocks): Markup {
  const { view, records, definition, fullWidth } = block.data!;
  const rows = Object.values(records).sort((a, b) => (a.orderIndex < b.orderIndex ? -1 : 1));
  const titles = new Map<string | undefined, Fragment>();
  const cells = new Map<string | undefined, Fragment>();
  for (const it of block.fragments ?? []) (it.type === "column-title" ? titles : cells).set(it.fragment, it);
  const captionFragment = findFragment(block.fragments, "caption");
  const caption = captionFragment && blocks(captionFragment.nodes);
  const columns = view.columns.flatMap((id) => definition[id] ?? []);
  const columnIndexes = new Map(columns.map(({ id }, index) => [id, index]));
  // Of two options with the same value, the first counts.
  const optionLabels = new Map(
    columns.map(({ id, options = [] }) => [
      id,
      new Map(options.toReversed().map(({ value, label }) => [value, label] as const)),
    ]),
  );
  const listFilledColumns = ({ values }: TableRecord): ColumnDefinition[] =>
    Object.keys(values)
      .flatMap((id) => columnIndexes.get(id) ?? [])
      .sort((a, b) => a - b)
      .map((index) => columns[index]!);
  const renderRecordCell = (record: TableRecord, column: ColumnDefinition) =>
    renderCell(record.values[column.id], column, cells, optionLabels.get(column.id)!, context, blocks);

  if (view.type === "cards") {
    const { targetDefinition: target, coverDefinition: cover, cardSize } = view;
    const findReference = (record: TableRecord, column: string | undefined): ContentRef | undefined =>
      column === undefined ? undefined : listReferences(record.values[column] ?? [])[0];
    const cards = rows.map((record) => {
      const targetRef = findReference(record, target);
      const link = targetRef && context.resolveLink(targetRef);
      const coverRef = findReference(record, cover);
      const file = coverRef && context.resolveFile(coverRef);
      const body = listFilledColumns(record)
        .filter(({ id }) => id !== cover && id !== target)
        .map((column) => renderRecordCell(record, column))
        .filter((cell) => cell !== undefined);
      return html`<li class="card">${
        file && html`<img class="cover" src="${file.url}" alt="" loading="lazy" decoding="async">`
      }<div class="body">${body.map((cell) => html`<div>${cell}</div>`)}</div>${
        link && html`<a class="cover-link" ${context.renderLinkAttributes(link.href)} aria-label="${link.title}"></a>`
      }</li>`;
    });
    const title = caption && html`<div class="caption">${caption}</div>`;
    return html`${title}<ul class="cards ${cardSize}${fullWidth && " full"}">${cards}</ul>`;
  }

  const renderAlignment = ({ textAlignment }: ColumnDefinition) =>
    textAlignment !== undefined && textAlignment !== "left" && html` class="${textAlignment}"`;
  const head = columns.map((column) => {
    const title = titles.get(column.id)?.nodes[0]?.nodes as Phrasing[] | undefined;
    const text = title ? renderPhrasing(title, context, blocks) : column.title;
    return html`<th scope="col"${renderAlignment(column)}>${text}</th>`;
  });
  const renderEmptyCells = (from: number, to: number) =>
    to - from < 2 || (to - from <= MAX_EMPTY_RUN && context.budget.take((to - from) * EMPTY_CELL.length))
      ? columns.slice(from, to).map((column) => html`<td${renderAlignment(column)}></td>`)
      : html`<td colspan="${Math.min(to - from, MAX_COLSPAN)}"></td>`;
  const body = rows.map((record) => {
    const row: (Markup | Markup[])[] = [];
    let next = 0;
    for (const column of listFilledColumns(record)) {
      const index = columnIndexes.get(column.id)!;
      row.push(
        renderEmptyCells(next, index),
        html`<td${renderAlignment(column)}>${renderRecordCell(record, column)}</td>`,
      );
      next = index + 1;
    }
    return html`<tr>${row}${renderEmptyCells(next, columns.length)}</tr>`;
  });
  // The region scrolls on a narrow screen, so it must be reachable by keyboard.
  return html`<div class="table${fullWidth && " full"}" tabindex="0"><table>${
    caption && html`<caption>${caption}</caption>`
  }${!view.hideHeader && html`<thead><tr>${head}</tr></thead>`}<tbody>${body}</tbody></table></div>`;
}

function renderCell(
  value: CellValue | undefined,
  { type, max = 5 }: ColumnDefinition,
  cells: ReadonlyMap<string | undefined, Fragment>,
  optionLabels: ReadonlyMap<string, string>,
  context: BlockRenderContext,
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
    case "rating": {
      const stars = Math.min(max, MAX_STARS);
      const filled = Math.min(stars, Math.max(0, Math.round((Number(value) / max) * stars) || 0));
      const text = "★".repeat(filled) + "☆".repeat(stars - filled);
      return html`<span role="img" aria-label="${Number(value)} / ${max}">${text}</span>`;
    }
    case "select":
      return html`${[value].flat().map((option) => {
        const label = optionLabels.get(String(option)) ?? String(option);
        return html`<span class="option">${label}</span>`;
      })}`;
    case "image":
      return renderInlineImage({ ref: value as ContentRef }, context);
    case "files":
      return html`${listReferences(value).map((ref) => {
        const file = context.resolveFile(ref);
        return file ? html`<a href="${file.url}" download="${file.name}">${file.name}</a> ` : html``;
      })}`;
    default:
      return html`${listReferences(value).map((ref) => {
        const link = context.resolveLink(ref);
        if (type === "content-ref") return renderReferenceCard(link, context);
        return link ? html`<span class="mention">${link.title}</span> ` : html``;
      })}`;
  }
}

function listReferences(value: CellValue): ContentRef[] {
  return [value].flat().filter((it): it is ContentRef => typeof it === "object");
}
