// The pages of a space as a tree with keyboard navigation. Pages are moved by dragging, with Alt and the arrow keys, or by
// their menu.

import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { formatMessage } from "../../../locales/format-message";
import { useAction } from "../api/mutations";
import { ConfirmDialog } from "../components/confirm";
import { Icon, type IconName } from "../components/icon";
import { ActionError } from "../components/loaded";
import { Menu } from "../components/menu";
import { NameDialog } from "../components/name-dialog";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { applyChanges, type ContentEdit, type ContentPlace, type PageInTree } from "./content-place";
import {
  findDestination,
  isWithin,
  listTreeRows,
  type MoveStep,
  type PageDestination,
  type TreeRow,
} from "./tree-rows";

const icons: Readonly<Record<PageInTree["kind"], IconName>> = { sheet: "page", group: "folder", link: "link" };

/** The moves of the focused page by arrow key, together with Alt. */
const moves: Readonly<Record<string, MoveStep>> = {
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
  readonly place: ContentPlace;
  readonly pages: readonly PageInTree[];
  /** The id of the open page. */
  readonly current: string | undefined;
  readonly mayEdit: boolean;
}) {
  const messages = useMessages();
  const { route } = useLocation();
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [focus, setFocus] = useState<string>();
  const [announcement, setAnnouncement] = useState("");
  const [making, setMaking] = useState<{ readonly into: string | null; readonly kind: "page" | "group" }>();
  const [deleting, setDeleting] = useState<PageInTree>();
  const [dragged, setDragged] = useState<TreeRow>();
  const list = useRef<HTMLDivElement>(null);
  const rows = listTreeRows(pages, (id) => !closed.has(id));
  const inFocus = rows.find(({ page }) => page.id === focus)?.page.id ?? current ?? rows[0]?.page.id;
  const wantsFocus = useRef(false);
  useEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    list.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus();
  });

  const move = useAction(async (row: TreeRow, to: PageDestination) => {
    await applyChanges(place, [{ operation: "move_page", page: row.page.id, ...to }]);
    if (to.into !== null) setOpen(to.into, true);
    setAnnouncement(
      formatMessage(messages.space.movedTo, { title: row.page.title, place: to.at + 1, count: row.count }),
    );
  });
  const step = (row: TreeRow, by: MoveStep) => {
    const to = findDestination(pages, row, by);
    if (to) void move.run(row, to);
  };
  const setOpen = (id: string, isOpen: boolean) => {
    const next = new Set(closed);
    if (isOpen) next.delete(id);
    else next.add(id);
    setClosed(next);
  };
  const moveFocus = (id: string | undefined) => {
    if (id === undefined) return;
    wantsFocus.current = true;
    setFocus(id);
  };
  const getPagePath = ({ path }: PageInTree) =>
    addresses.page(place.organization, place.space, place.changeRequest, path);

  const onKeyDown = (event: KeyboardEvent, row: TreeRow) => {
    // The buttons of a row handle their own keys.
    if ((event.target as HTMLElement).closest("button, .menu")) return;
    const at = rows.indexOf(row);
    const hasPages = row.page.pages.length > 0;
    const isOpen = hasPages && !closed.has(row.page.id);
    const toMove = event.altKey && mayEdit ? moves[event.key] : undefined;
    if (toMove) step(row, toMove);
    else if (event.key === "ArrowDown") moveFocus(rows[at + 1]?.page.id);
    else if (event.key === "ArrowUp") moveFocus(rows[at - 1]?.page.id);
    else if (event.key === "Home") moveFocus(rows[0]?.page.id);
    else if (event.key === "End") moveFocus(rows.at(-1)?.page.id);
    else if (event.key === "ArrowRight" && hasPages)
      isOpen ? moveFocus(rows[at + 1]?.page.id) : setOpen(row.page.id, true);
    else if (event.key === "ArrowLeft") isOpen ? setOpen(row.page.id, false) : moveFocus(row.parent ?? undefined);
    else if (event.key === "Enter" && row.page.kind !== "group") route(getPagePath(row.page));
    else return;
    event.preventDefault();
  };

  const listMenuItems = (row: TreeRow) => {
    const offers = (by: MoveStep, label: string) =>
      findDestination(pages, row, by) ? [{ label, onSelect: () => step(row, by) }] : [];
    return [
      ...(row.page.kind === "link"
        ? []
        : [{ label: messages.space.newPage, onSelect: () => setMaking({ into: row.page.id, kind: "page" as const }) }]),
      ...offers("up", messages.space.moveUp),
      ...offers("down", messages.space.moveDown),
      ...offers("in", messages.space.moveIn),
      ...offers("out", messages.space.moveOut),
      { label: messages.space.deletePage, isDanger: true, onSelect: () => setDeleting(row.page) },
    ];
  };

  return (
    <div class="tree">
      <div class="tree-head">
        <h2>{messages.space.pages}</h2>
        {mayEdit && (
          <Menu label={messages.space.newPage} sign={<Icon name="plus" />} isQuiet>
            {[
              { label: messages.space.newPage, onSelect: () => setMaking({ into: null, kind: "page" }) },
              { label: messages.space.newGroup, onSelect: () => setMaking({ into: null, kind: "group" }) },
            ]}
          </Menu>
        )}
      </div>
      <ActionError error={move.error} />
      <div role="tree" aria-label={messages.space.pages} ref={list}>
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
                setDragged(undefined);
                if (!dragged || isWithin(dragged.page, page.id)) return;
                // A page is dropped before a row on its upper third, behind it on its lower third, and otherwise into it.
                const { top, height } = event.currentTarget.getBoundingClientRect();
                const share = (event.clientY - top) / height;
                const isInto = share > 1 / 3 && share < 2 / 3 && page.kind !== "link" && dragged.page.kind !== "group";
                // The page leaves its own position first.
                const isAfterOwn = row.parent === dragged.parent && dragged.at < row.at;
                const at = row.at + (share >= 2 / 3 ? 1 : 0) - (isAfterOwn ? 1 : 0);
                void move.run(dragged, isInto ? { into: page.id, at: page.pages.length } : { into: row.parent, at });
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
              <a {...(page.kind === "group" ? {} : { href: getPagePath(page) })} tabIndex={-1}>
                {page.emoji ? (
                  <span aria-hidden="true">
                    {/* An emoji may be stored as its hexadecimal code points. */}
                    {/^[0-9a-f]{2,6}(?:-[0-9a-f]{2,6})*$/i.test(page.emoji)
                      ? String.fromCodePoint(...page.emoji.split("-").map((code) => Number.parseInt(code, 16)))
                      : page.emoji}
                  </span>
                ) : (
                  <Icon name={icons[page.kind]} />
                )}
                <bdi>{page.title}</bdi>
              </a>
              {mayEdit && (
                <Menu label={`${messages.general.more}: ${page.title}`} sign={<Icon name="more" />} isQuiet>
                  {listMenuItems(row)}
                </Menu>
              )}
            </div>
          );
        })}
      </div>
      <p class="unseen" role="status">
        {announcement}
      </p>
      {making && (
        <NameDialog
          title={making.kind === "group" ? messages.space.newGroup : messages.space.newPage}
          label={messages.general.title}
          create={async (title) => {
            const made: ContentEdit =
              making.kind === "group"
                ? { operation: "insert_group", title }
                : { operation: "insert_page", title, into: making.into, document: { markdown: "" } };
            await applyChanges(place, [made]);
            setMaking(undefined);
          }}
          onClose={() => setMaking(undefined)}
        />
      )}
      {deleting && (
        <ConfirmDialog
          title={messages.space.deletePage}
          submit={messages.general.delete}
          question={formatMessage(messages.space.deletePageWhy, { title: deleting.title })}
          act={() => applyChanges(place, [{ operation: "delete_page", page: deleting.id }])}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </div>
  );
}
