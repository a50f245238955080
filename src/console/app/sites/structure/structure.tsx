// The structure of a site: its sections, groups and spaces, in the order in which readers see them. Rows are moved by
// dragging, with Alt and the arrow keys, or by their menu.

import { useEffect, useRef, useState } from "preact/hooks";
import type { SiteStructure } from "../../../../generated/resources";
import { useRead } from "../../calls/reads";
import { useAction, write } from "../../calls/writes";
import { Button } from "../../parts/button";
import { Icon, type IconName } from "../../parts/icon";
import { Menu, type MenuItem } from "../../parts/menu";
import { Problem, Shown } from "../../parts/shown";
import { addresses } from "../../routes";
import { filled, useWords } from "../../words/words";
import { InSite, type OpenSite, type SitePlace } from "../in-site";
import { EditItem } from "./edit-item";
import { NewItem } from "./new-item";
import { RemoveItem } from "./remove-item";
import { beside, groupsIn, type Item, type Move, type Row, rowsOf, sectionsIn, step } from "./rows";

export function StructurePage(place: SitePlace) {
  return <InSite {...place}>{(open) => <Structure {...open} organization={place.organization} />}</InSite>;
}

const icons: Readonly<Record<Item["object"], IconName>> = {
  "site-section-group": "folder",
  "site-section": "page",
  "site-space": "book",
};

function Structure({ organization, ...open }: OpenSite & { readonly organization: string }) {
  const words = useWords();
  const found = useRead("getSiteStructure", { params: open.params });
  const [making, setMaking] = useState<"space" | "section" | "group">();
  return (
    <Shown of={found}>
      {(structure) => (
        <section>
          <p>{words.structureWhy}</p>
          <p class="buttons">
            <Button kind="first" onClick={() => setMaking("space")}>
              {words.addSpace}
            </Button>
            <Button onClick={() => setMaking("section")}>{words.newSection}</Button>
            {structure.type === "sections" && (
              <Button onClick={() => setMaking("group")}>{words.newSectionGroup}</Button>
            )}
          </p>
          {structure.structure.length === 0 ? (
            <p class="empty">{words.noSpacesOfSite}</p>
          ) : (
            <Rows organization={organization} open={open} structure={structure} />
          )}
          {making && (
            <NewItem
              organization={organization}
              params={open.params}
              structure={structure}
              kind={making}
              onClose={() => setMaking(undefined)}
            />
          )}
        </section>
      )}
    </Shown>
  );
}

function Rows({
  organization,
  open: { params },
  structure,
}: {
  readonly organization: string;
  readonly open: OpenSite;
  readonly structure: SiteStructure;
}) {
  const words = useWords();
  const rows = rowsOf(structure);
  const [dragged, setDragged] = useState<Row>();
  const [editing, setEditing] = useState<Item>();
  const [removing, setRemoving] = useState<Item>();
  const [told, tell] = useState("");
  const focused = useRef<string | undefined>(undefined);
  const list = useRef<HTMLUListElement>(null);
  // What was moved with the keys keeps the focus.
  useEffect(() => {
    if (focused.current === undefined) return;
    list.current?.querySelector<HTMLElement>(`[data-item="${focused.current}"] .grip`)?.focus();
    focused.current = undefined;
  });
  const move = useAction(async (to: Move, title: string) => {
    await write("sortSiteStructure", { params, body: to });
    tell(filled(words.itemMoved, { title }));
  });
  const act = useAction((doing: () => Promise<unknown>) => doing());
  const go = (to: Move | undefined, row: Row) => {
    if (to) void move.run(to, row.item.title);
  };
  const menuOf = (row: Row): MenuItem[] => {
    const { item } = row;
    const moves = (["up", "down"] as const).flatMap((by) => {
      const to = step(rows, row, by);
      return to ? [{ label: by === "up" ? words.moveUp : words.moveDown, onSelect: () => go(to, row) }] : [];
    });
    return [
      { label: words.editItem, onSelect: () => setEditing(item) },
      ...moves,
      ...elsewhere(row),
      ...(item.object === "site-section-group" || item.default
        ? []
        : [{ label: words.makeDefault, onSelect: () => void act.run(() => makeDefault(item)) }]),
      { label: words.remove, isDanger: true, onSelect: () => setRemoving(item) },
    ];
  };
  /** Into another group or section, or out of a group. */
  const elsewhere = (row: Row): MenuItem[] => {
    const { item } = row;
    if (item.object === "site-section") {
      const out = rows.find(({ item: { id } }) => id === row.parent);
      const into = groupsIn(structure).filter(({ id }) => id !== row.parent);
      return [
        ...into.map(({ id, title }) => ({
          label: filled(words.moveInto, { title }),
          onSelect: () =>
            void act.run(() =>
              write("addSectionToGroup", {
                params: { ...params, siteSectionGroupId: id },
                body: { sectionId: item.id },
              }),
            ),
        })),
        ...(out ? [{ label: words.moveOutOfGroup, onSelect: () => go(besideGroup(row, out), row) }] : []),
      ];
    }
    if (item.object !== "site-space" || row.parent === null) return [];
    return sectionsIn(structure)
      .filter(({ id }) => id !== row.parent)
      .map(({ id, title }) => ({
        label: filled(words.moveInto, { title }),
        onSelect: () => {
          const last = rows.findLast(({ parent }) => parent === id);
          go(last && beside(row, last, "after"), row);
        },
      }));
  };
  const makeDefault = (item: Item): Promise<unknown> => {
    if (item.object === "site-section") return write("updateSite", { params, body: { defaultSiteSection: item.id } });
    if (item.object === "site-space" && item.section !== undefined)
      return write("updateSiteSection", {
        params: { ...params, siteSectionId: item.section },
        body: { defaultSiteSpace: item.id },
      });
    return write("updateSite", { params, body: { defaultSiteSpace: item.id } });
  };
  return (
    <>
      <Problem error={move.error ?? act.error} />
      <ul class="structure" ref={list} aria-label={words.siteStructure}>
        {rows.map((row) => {
          const { item, depth } = row;
          return (
            <li
              key={item.id}
              data-item={item.id}
              style={{ "--depth": depth }}
              draggable
              onDragStart={(event) => {
                event.dataTransfer?.setData("text/plain", item.title);
                setDragged(row);
              }}
              onDragEnd={() => setDragged(undefined)}
              onDragOver={(event) => {
                if (dragged && beside(dragged, row, "after")) event.preventDefault();
              }}
              onDrop={(event) => {
                event.preventDefault();
                const { top, height } = event.currentTarget.getBoundingClientRect();
                const side = event.clientY - top < height / 2 ? "before" : "after";
                if (dragged) go(beside(dragged, row, side), dragged);
                setDragged(undefined);
              }}
            >
              <button
                type="button"
                class="grip"
                aria-label={filled(words.moveWithKeys, { title: item.title })}
                title={words.moveWithKeysHint}
                onKeyDown={(event) => {
                  const by = { ArrowUp: "up", ArrowDown: "down" }[event.key] as "up" | "down" | undefined;
                  if (!event.altKey || !by) return;
                  event.preventDefault();
                  focused.current = item.id;
                  go(step(rows, row, by), row);
                }}
              >
                <Icon name={icons[item.object]} />
              </button>
              <span class="what">
                {item.object === "site-space" ? (
                  <a href={addresses.space(organization, item.space.id)}>
                    <bdi>{item.title}</bdi>
                  </a>
                ) : (
                  <strong>
                    <bdi>{item.title}</bdi>
                  </strong>
                )}
                <small>
                  {item.object === "site-section-group" ? words.sectionGroup : `/${item.path}`}
                  {item.object !== "site-section-group" && item.default && ` · ${words.isDefault}`}
                  {item.object !== "site-section-group" && item.condition !== undefined && ` · ${words.underCondition}`}
                  {item.object === "site-space" && item.space.deletedAt !== undefined && ` · ${words.inTrash}`}
                </small>
              </span>
              <Menu label={`${words.more}: ${item.title}`} sign={<Icon name="more" />} isQuiet>
                {menuOf(row)}
              </Menu>
            </li>
          );
        })}
      </ul>
      <p class="unseen" role="status">
        {told}
      </p>
      {editing && (
        <EditItem organization={organization} params={params} item={editing} onClose={() => setEditing(undefined)} />
      )}
      {removing && <RemoveItem params={params} item={removing} onClose={() => setRemoving(undefined)} />}
    </>
  );
}

/** A section that leaves its group stands behind it. */
function besideGroup(row: Row, group: Row): Move | undefined {
  return beside(row, group, "after");
}
