// Tables: as a grid, or as cards.

import type {
  BlockOf,
  CellValue,
  ColumnDefinition,
  Fragment,
  Phrasing,
  Ref,
  TableRecord,
} from "../../content/document";
import { html, type Markup } from "../../markup";
import type { Scene } from "../scene";
import type { DrawBlocks } from "./fragments";
import { inlineImage, reference } from "./images";
import { phrasing } from "./text";

type Fragments = ReadonlyMap<string | undefined, Fragment>;

export function table(block: BlockOf<"table">, scene: Scene, blocks: DrawBlocks): Markup {
  const { view, records, definition, fullWidth } = block.data!;
  const rows = Object.values(records).sort((a, b) => (a.orderIndex < b.orderIndex ? -1 : 1));
  const [titles, cells] = [new Map<string | undefined, Fragment>(), new Map<string | undefined, Fragment>()];
  for (const it of block.fragments ?? []) (it.type === "column-title" ? titles : cells).set(it.fragment, it);
  const columns = view.columns.flatMap((id) => definition[id] ?? []);
  const cell = (record: TableRecord, column: ColumnDefinition) =>
    cellOf(record.values[column.id], column, cells, scene, blocks);
  if (view.type === "cards") {
    const { targetDefinition: target, coverDefinition: cover, cardSize } = view;
    const cards = rows.map((record) => {
      const place = placeIn(record, target, scene);
      const image = imageIn(record, cover, scene);
      const body = columns
        .filter(({ id }) => id !== cover && id !== target)
        .map((column) => cell(record, column))
        .filter((it) => it !== undefined);
      return html`<li class="card">${image}<div class="body">${body.map((it) => html`<div>${it}</div>`)}</div>${place && html`<a class="cover-link" ${scene.link(place.href)} aria-label="${place.title}"></a>`}</li>`;
    });
    return html`<ul class="cards ${cardSize}${fullWidth && " full"}">${cards}</ul>`;
  }
  const align = ({ textAlignment }: ColumnDefinition) =>
    textAlignment !== undefined && textAlignment !== "left" && html` class="${textAlignment}"`;
  const titleOf = ({ id, title }: ColumnDefinition) => {
    const words = titles.get(id)?.nodes[0]?.nodes as Phrasing[] | undefined;
    return words ? phrasing(words, scene, blocks) : title;
  };
  const head = html`<thead><tr>${columns.map((it) => html`<th scope="col"${align(it)}>${titleOf(it)}</th>`)}</tr></thead>`;
  const body = rows.map(
    (record) => html`<tr>${columns.map((it) => html`<td${align(it)}>${cell(record, it)}</td>`)}</tr>`,
  );
  // The region scrolls on a narrow screen, so the keyboard must reach it.
  return html`<div class="table${fullWidth && " full"}" tabindex="0"><table>${!view.hideHeader && head}<tbody>${body}</tbody></table></div>`;
}

function cellOf(
  value: CellValue | undefined,
  { type, max = 5, options = [] }: ColumnDefinition,
  cells: Fragments,
  scene: Scene,
  blocks: DrawBlocks,
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
      return html`<span role="img" aria-label="${value as number} / ${max}">${"★".repeat(Number(value))}${"☆".repeat(Math.max(0, max - Number(value)))}</span>`;
    case "select":
      return html`${[value].flat().map((it) => option(String(it), options))}`;
    case "image":
      return inlineImage({ ref: value as Ref }, scene);
    default:
      return html`${refsIn(value).map((ref) => linked(ref, type, scene))}`;
  }
}

function option(value: string, options: NonNullable<ColumnDefinition["options"]>): Markup {
  return html`<span class="option">${options.find((it) => it.value === value)?.label ?? value}</span>`;
}

function refsIn(value: CellValue): Ref[] {
  return [value].flat().filter((it): it is Ref => typeof it === "object");
}

function linked(ref: Ref, type: ColumnDefinition["type"], scene: Scene): Markup {
  if (type === "files") {
    const file = scene.file(ref);
    return file ? html`<a href="${file.url}" download="${file.name}">${file.name}</a> ` : html``;
  }
  const place = scene.place(ref);
  if (type === "content-ref") return reference(place, scene);
  return place ? html`<span class="mention">${place.title}</span> ` : html``;
}

function placeIn(record: TableRecord, column: string | undefined, scene: Scene) {
  const [ref] = column === undefined ? [] : refsIn(record.values[column] ?? []);
  return ref && scene.place(ref);
}

function imageIn(record: TableRecord, column: string | undefined, scene: Scene): Markup | undefined {
  const [ref] = column === undefined ? [] : refsIn(record.values[column] ?? []);
  const file = ref && scene.file(ref);
  return file && html`<img class="cover" src="${file.url}" alt="" loading="lazy" decoding="async">`;
}
