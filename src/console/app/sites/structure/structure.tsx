// The structure of a site: its sections, groups and spaces in the order of the readers. Rows are moved by dragging, with Alt
// and the arrow keys, or by their menu.

import { useEffect, useRef, useState } from "preact/hooks";
import type { SiteStructure } from "../../../../generated/resources";
import { formatMessage } from "../../../../locales/format-message";
import { runMutation, useAction } from "../../api/mutations";
import { useQuery } from "../../api/queries";
import { Button } from "../../components/button";
import { ConfirmDialog } from "../../components/confirm";
import { Icon, type IconName } from "../../components/icon";
import { ActionError, Loaded } from "../../components/loaded";
import { Menu, type MenuItem } from "../../components/menu";
import { useMessages } from "../../messages/messages";
import { addresses } from "../../routes";
import { type OpenSite, SiteLayout, type SiteRoute } from "../site-layout";
import { EditItem } from "./edit-item";
import { NewItem, type NewItemKind } from "./new-item";
import {
  collectSections,
  listStructureRows,
  moveBeside,
  moveByStep,
  type StructureItem,
  type StructureMove,
  type StructureRow,
} from "./structure-rows";

export function StructurePage(place: SiteRoute) {
  return <SiteLayout {...place}>{(open) => <Structure {...open} organization={place.organization} />}</SiteLayout>;
}

const icons: Readonly<Record<StructureItem["object"], IconName>> = {
  "site-section-group": "folder",
  "site-section": "page",
  "site-space": "book",
  "site-external-link": "link",
};

function Structure({ organization, ...open }: OpenSite & { readonly organization: string }) {
  const messages = useMessages();
  const found = useQuery("getSiteStructure", { params: open.params });
  const [making, setMaking] = useState<NewItemKind>();
  return (
    <Loaded of={found}>
      {(structure) => (
        <section>
          <p>{messages.site.structureWhy}</p>
          <p class="buttons">
            <Button kind="first" onClick={() => setMaking("space")}>
              {messages.sites.addSpace}
            </Button>
            <Button onClick={() => setMaking("section")}>{messages.site.newSection}</Button>
            {structure.type === "sections" && (
              <>
                <Button onClick={() => setMaking("group")}>{messages.site.newSectionGroup}</Button>
                <Button onClick={() => setMaking("link")}>{messages.site.newExternalLink}</Button>
              </>
            )}
          </p>
          {structure.structure.length === 0 ? (
            <p class="empty">{messages.sites.noSpacesOfSite}</p>
          ) : (
            <StructureTable organization={organization} open={open} structure={structure} />
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
    </Loaded>
  );
}

function StructureTable({
  organization,
  open: { params },
  structure,
}: {
  readonly organization: string;
  readonly open: OpenSite;
  readonly structure: SiteStructure;
}) {
  const messages = useMessages();
  const rows = listStructureRows(structure);
  const [dragged, setDragged] = useState<StructureRow>();
  const [editing, setEditing] = useState<StructureItem>();
  const [removing, setRemoving] = useState<StructureItem>();
  const [announcement, setAnnouncement] = useState("");
  const focused = useRef<string | undefined>(undefined);
  const list = useRef<HTMLUListElement>(null);
  // An item that was moved with the keyboard keeps the focus.
  useEffect(() => {
    if (focused.current === undefined) return;
    list.current?.querySelector<HTMLElement>(`[data-item="${focused.current}"] .grip`)?.focus();
    focused.current = undefined;
  });
  const move = useAction(async (to: StructureMove, title: string) => {
    await runMutation("sortSiteStructure", { params, body: to });
    setAnnouncement(formatMessage(messages.site.itemMoved, { title }));
  });
  const act = useAction((doing: () => Promise<unknown>) => doing());
  const go = (to: StructureMove | undefined, row: StructureRow) => {
    if (to) void move.run(to, row.item.title);
  };
  const listMenuItems = (row: StructureRow): MenuItem[] => {
    const { item } = row;
    const moves = (["up", "down"] as const).flatMap((by) => {
      const to = moveByStep(rows, row, by);
      return to
        ? [{ label: by === "up" ? messages.space.moveUp : messages.space.moveDown, onSelect: () => go(to, row) }]
        : [];
    });
    return [
      { label: messages.site.editItem, onSelect: () => setEditing(item) },
      ...moves,
      ...elsewhere(row),
      ...(item.object === "site-section-group" || item.object === "site-external-link" || item.default
        ? []
        : [{ label: messages.site.makeDefault, onSelect: () => void act.run(() => makeDefault(item)) }]),
      { label: messages.reviews.remove, isDanger: true, onSelect: () => setRemoving(item) },
    ];
  };
  /** The menu items that move a row into another group or section, or out of its group. */
  const elsewhere = (row: StructureRow): MenuItem[] => {
    const { item } = row;
    if (item.object === "site-section" || item.object === "site-external-link") {
      const out = rows.find(({ item: { id } }) => id === row.parent);
      const groups =
        structure.type === "sections" ? structure.structure.filter((it) => it.object === "site-section-group") : [];
      const into = groups.filter(({ id }) => id !== row.parent);
      return [
        ...into.map(({ id, title }) => ({
          label: formatMessage(messages.site.moveInto, { title }),
          onSelect: () =>
            void act.run(() =>
              item.object === "site-section"
                ? runMutation("addSectionToGroup", {
                    params: { ...params, siteSectionGroupId: id },
                    body: { sectionId: item.id },
                  })
                : runMutation("updateSiteExternalLink", {
                    params: { ...params, siteExternalLinkId: item.id },
                    body: { parent: id },
                  }),
            ),
        })),
        ...(out
          ? [{ label: messages.site.moveOutOfGroup, onSelect: () => go(moveBeside(row, out, "after"), row) }]
          : []),
      ];
    }
    if (item.object !== "site-space" || row.parent === null) return [];
    return collectSections(structure)
      .filter(({ id }) => id !== row.parent)
      .map(({ id, title }) => ({
        label: formatMessage(messages.site.moveInto, { title }),
        onSelect: () => {
          const last = rows.findLast(({ parent }) => parent === id);
          go(last && moveBeside(row, last, "after"), row);
        },
      }));
  };
  const makeDefault = (item: StructureItem): Promise<unknown> => {
    if (item.object === "site-section")
      return runMutation("updateSite", { params, body: { defaultSiteSection: item.id } });
    if (item.object === "site-space" && item.section !== undefined)
      return runMutation("updateSiteSection", {
        params: { ...params, siteSectionId: item.section },
        body: { defaultSiteSpace: item.id },
      });
    return runMutation("updateSite", { params, body: { defaultSiteSpace: item.id } });
  };
  return (
    <>
      <ActionError error={move.error ?? act.error} />
      <ul class="structure" ref={list} aria-label={messages.site.siteStructure}>
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
                if (dragged && moveBeside(dragged, row, "after")) event.preventDefault();
              }}
              onDrop={(event) => {
                event.preventDefault();
                const { top, height } = event.currentTarget.getBoundingClientRect();
                const side = event.clientY - top < height / 2 ? "before" : "after";
                if (dragged) go(moveBeside(dragged, row, side), dragged);
                setDragged(undefined);
              }}
            >
              <button
                type="button"
                class="grip"
                aria-label={formatMessage(messages.site.moveWithKeys, { title: item.title })}
                title={messages.site.moveWithKeysHint}
                onKeyDown={(event) => {
                  const by = { ArrowUp: "up", ArrowDown: "down" }[event.key] as "up" | "down" | undefined;
                  if (!event.altKey || !by) return;
                  event.preventDefault();
                  focused.current = item.id;
                  go(moveByStep(rows, row, by), row);
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
                  {item.object === "site-section-group" && messages.site.sectionGroup}
                  {item.object === "site-external-link" && <bdi>{item.url}</bdi>}
                  {"path" in item && `/${item.path}`}
                  {"default" in item && item.default && ` · ${messages.sites.isDefault}`}
                  {"condition" in item && item.condition !== undefined && ` · ${messages.site.underCondition}`}
                  {item.object === "site-external-link" && item.draft && ` · ${messages.changeRequests.statusDraft}`}
                  {item.object === "site-space" && item.space.deletedAt !== undefined && ` · ${messages.site.inTrash}`}
                </small>
              </span>
              <Menu label={`${messages.general.more}: ${item.title}`} sign={<Icon name="more" />} isQuiet>
                {listMenuItems(row)}
              </Menu>
            </li>
          );
        })}
      </ul>
      <p class="unseen" role="status">
        {announcement}
      </p>
      {editing && (
        <EditItem organization={organization} params={params} item={editing} onClose={() => setEditing(undefined)} />
      )}
      {/* The spaces of a removed item are not deleted. */}
      {removing && (
        <ConfirmDialog
          title={messages.reviews.remove}
          question={formatMessage(
            {
              "site-section-group": messages.site.removeGroupWhy,
              "site-section": messages.site.removeSectionWhy,
              "site-space": messages.site.removeSpaceWhy,
              "site-external-link": messages.site.removeLinkWhy,
            }[removing.object],
            { title: removing.title },
          )}
          act={() => {
            const { object, id } = removing;
            if (object === "site-section-group")
              return runMutation("deleteSiteSectionGroup", { params: { ...params, siteSectionGroupId: id } });
            if (object === "site-section")
              return runMutation("deleteSiteSection", { params: { ...params, siteSectionId: id } });
            if (object === "site-external-link")
              return runMutation("deleteSiteExternalLink", { params: { ...params, siteExternalLinkId: id } });
            return runMutation("deleteSiteSpace", { params: { ...params, siteSpaceId: id } });
          }}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  );
}
