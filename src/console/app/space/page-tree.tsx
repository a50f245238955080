// The pages of a space as a tree. It is walked with the arrow keys. A page is moved by dragging it, with Alt and the arrow
// keys, or by its menu.

import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { useAction } from "../calls/writes";
import { Dialog } from "../parts/dialog";
import { TextField } from "../parts/field";
import { Form } from "../parts/form";
import { Icon, type IconName } from "../parts/icon";
import { Menu } from "../parts/menu";
import { Problem } from "../parts/shown";
import { addresses } from "../routes";
import { filled, useWords } from "../words/words";
import { type Change, change, type PageInTree, type Place } from "./place";
import { type Destination, destination, isWithin, type Row, rowsOf, type Step } from "./tree";

const icons: Readonly<Record<PageInTree["kind"], IconName>> = { sheet: "page", group: "folder", link: "link" };

/** What a key does to the page in the focus, together with Alt. */
const moves: Readonly<Record<string, Step>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowRight: "in",
  ArrowLeft: "out",
};

export function PageTree({
  place,
  pages,
  current,
  mayEdit,
}: {
  readonly place: Place;
  readonly pages: readonly PageInTree[];
  /** The page that is shown. */
  readonly current: string | undefined;
  readonly mayEdit: boolean;
}) {
  const words = useWords();
  const { route } = useLocation();
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [focus, setFocus] = useState<string>();
  const [told, tell] = useState("");
  const [making, setMaking] = useState<{ readonly into: string | null; readonly kind: "page" | "group" }>();
  const [deleting, setDeleting] = useState<PageInTree>();
  const [dragged, setDragged] = useState<Row>();
  const list = useRef<HTMLDivElement>(null);
  const rows = rowsOf(pages, (id) => !closed.has(id));
  const inFocus = rows.find(({ page }) => page.id === focus)?.page.id ?? current ?? rows[0]?.page.id;
  const wantsFocus = useRef(false);
  useEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    list.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus();
  });

  const move = useAction(async (row: Row, to: Destination) => {
    await change(place, [{ operation: "move_page", page: row.page.id, ...to }]);
    if (to.into !== null) setOpen(to.into, true);
    tell(filled(words.movedTo, { title: row.page.title, place: to.at + 1, count: row.count }));
  });
  const step = (row: Row, by: Step) => {
    const to = destination(pages, row, by);
    if (to) void move.run(row, to);
  };
  const setOpen = (id: string, isOpen: boolean) => {
    const next = new Set(closed);
    if (isOpen) next.delete(id);
    else next.add(id);
    setClosed(next);
  };
  const focusOn = (id: string | undefined) => {
    if (id === undefined) return;
    wantsFocus.current = true;
    setFocus(id);
  };
  const hrefOf = ({ path }: PageInTree) => addresses.page(place.organization, place.space, place.changeRequest, path);

  const onKeyDown = (event: KeyboardEvent, row: Row) => {
    // The buttons of a page have keys of their own.
    if ((event.target as HTMLElement).closest("button, .menu")) return;
    const at = rows.indexOf(row);
    const hasPages = row.page.pages.length > 0;
    const isOpen = hasPages && !closed.has(row.page.id);
    const toMove = event.altKey && mayEdit ? moves[event.key] : undefined;
    if (toMove) step(row, toMove);
    else if (event.key === "ArrowDown") focusOn(rows[at + 1]?.page.id);
    else if (event.key === "ArrowUp") focusOn(rows[at - 1]?.page.id);
    else if (event.key === "Home") focusOn(rows[0]?.page.id);
    else if (event.key === "End") focusOn(rows.at(-1)?.page.id);
    else if (event.key === "ArrowRight" && hasPages)
      isOpen ? focusOn(rows[at + 1]?.page.id) : setOpen(row.page.id, true);
    else if (event.key === "ArrowLeft") isOpen ? setOpen(row.page.id, false) : focusOn(row.parent ?? undefined);
    else if (event.key === "Enter" && row.page.kind !== "group") route(hrefOf(row.page));
    else return;
    event.preventDefault();
  };

  const menuOf = (row: Row) => {
    const offers = (by: Step, label: string) =>
      destination(pages, row, by) ? [{ label, onSelect: () => step(row, by) }] : [];
    return [
      ...(row.page.kind === "link"
        ? []
        : [{ label: words.newPage, onSelect: () => setMaking({ into: row.page.id, kind: "page" as const }) }]),
      ...offers("up", words.moveUp),
      ...offers("down", words.moveDown),
      ...offers("in", words.moveIn),
      ...offers("out", words.moveOut),
      { label: words.deletePage, isDanger: true, onSelect: () => setDeleting(row.page) },
    ];
  };

  return (
    <div class="tree">
      <div class="tree-head">
        <h2>{words.pages}</h2>
        {mayEdit && (
          <Menu label={words.newPage} sign={<Icon name="plus" />} isQuiet>
            {[
              { label: words.newPage, onSelect: () => setMaking({ into: null, kind: "page" }) },
              { label: words.newGroup, onSelect: () => setMaking({ into: null, kind: "group" }) },
            ]}
          </Menu>
        )}
      </div>
      <Problem error={move.error} />
      <div role="tree" aria-label={words.pages} ref={list}>
        {rows.map((row) => {
          const { page, depth } = row;
          const isOpen = !closed.has(page.id);
          return (
            <div
              key={page.id}
              role="treeitem"
              aria-label={page.title}
              aria-level={depth + 1}
              aria-posinset={row.at + 1}
              aria-setsize={row.count}
              aria-expanded={page.pages.length > 0 ? isOpen : undefined}
              aria-selected={page.id === current}
              aria-current={page.id === current ? "page" : undefined}
              tabIndex={page.id === inFocus ? 0 : -1}
              onFocusIn={() => setFocus(page.id)}
              onKeyDown={(event) => onKeyDown(event, row)}
              style={{ "--depth": depth }}
              draggable={mayEdit}
              onDragStart={(event) => {
                event.dataTransfer?.setData("text/plain", page.title);
                setDragged(row);
              }}
              onDragEnd={() => setDragged(undefined)}
              onDragOver={(event) => {
                if (dragged && !isWithin(dragged.page, page.id)) event.preventDefault();
              }}
              onDrop={(event) => {
                event.preventDefault();
                if (dragged && !isWithin(dragged.page, page.id)) void move.run(dragged, droppedAt(event, row, dragged));
                setDragged(undefined);
              }}
            >
              {page.pages.length > 0 ? (
                <button
                  type="button"
                  class="twist"
                  tabIndex={-1}
                  aria-hidden="true"
                  data-open={isOpen}
                  onClick={() => setOpen(page.id, !isOpen)}
                >
                  <Icon name="right" />
                </button>
              ) : (
                <span class="twist" />
              )}
              <a {...(page.kind === "group" ? {} : { href: hrefOf(page) })} tabIndex={-1}>
                {page.emoji ? (
                  <span aria-hidden="true">{characterOf(page.emoji)}</span>
                ) : (
                  <Icon name={icons[page.kind]} />
                )}
                <bdi>{page.title}</bdi>
              </a>
              {mayEdit && (
                <Menu label={`${words.more}: ${page.title}`} sign={<Icon name="more" />} isQuiet>
                  {menuOf(row)}
                </Menu>
              )}
            </div>
          );
        })}
      </div>
      <p class="unseen" role="status">
        {told}
      </p>
      {making && <NewPage place={place} {...making} onClose={() => setMaking(undefined)} />}
      {deleting && <DeletePage place={place} page={deleting} onClose={() => setDeleting(undefined)} />}
    </div>
  );
}

/** Dropped on the upper third of a row a page comes before it, on the lower third behind it, else into it. */
function droppedAt(event: DragEvent, row: Row, dragged: Row): Destination {
  const { top, height } = (event.currentTarget as HTMLElement).getBoundingClientRect();
  const share = (event.clientY - top) / height;
  const isInto = share > 1 / 3 && share < 2 / 3 && row.page.kind !== "link" && dragged.page.kind !== "group";
  if (isInto) return { into: row.page.id, at: row.page.pages.length };
  // The page itself leaves its place first.
  const isAfterOwn = row.parent === dragged.parent && dragged.at < row.at;
  return { into: row.parent, at: row.at + (share >= 2 / 3 ? 1 : 0) - (isAfterOwn ? 1 : 0) };
}

/** An emoji is a character, or its code points in hexadecimal digits. */
export function characterOf(emoji: string): string {
  if (!/^[0-9a-f]{2,6}(?:-[0-9a-f]{2,6})*$/i.test(emoji)) return emoji;
  return String.fromCodePoint(...emoji.split("-").map((code) => Number.parseInt(code, 16)));
}

function NewPage({
  place,
  into,
  kind,
  onClose,
}: {
  readonly place: Place;
  readonly into: string | null;
  readonly kind: "page" | "group";
  readonly onClose: () => void;
}) {
  const words = useWords();
  const [title, setTitle] = useState("");
  const make = useAction(async () => {
    const made: Change =
      kind === "group"
        ? { operation: "insert_group", title }
        : { operation: "insert_page", title, into, document: { markdown: "" } };
    await change(place, [made]);
    onClose();
  });
  return (
    <Dialog title={kind === "group" ? words.newGroup : words.newPage} onClose={onClose}>
      <Form action={make} submit={words.create} onCancel={onClose}>
        <TextField label={words.title} value={title} onInput={setTitle} required autoFocus maxLength={255} />
      </Form>
    </Dialog>
  );
}

function DeletePage({
  place,
  page,
  onClose,
}: {
  readonly place: Place;
  readonly page: PageInTree;
  readonly onClose: () => void;
}) {
  const words = useWords();
  const remove = useAction(async () => {
    await change(place, [{ operation: "delete_page", page: page.id }]);
    onClose();
  });
  return (
    <Dialog title={words.deletePage} onClose={onClose}>
      <p>{filled(words.deletePageWhy, { title: page.title })}</p>
      <Form action={remove} submit={words.delete} onCancel={onClose} isDanger />
    </Dialog>
  );
}
