// A page of a space, or of a change request: the tree beside it, and the page to read or to edit.

import { useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { Space } from "../../../generated/resources";
import { useRead } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { PageEditor } from "../editor/page-editor";
import { unsaved, useHeld } from "../editor/unsaved";
import { Button } from "../parts/button";
import { Menu } from "../parts/menu";
import { PageHead } from "../parts/page-head";
import { Problem, Shown } from "../parts/shown";
import { Preview } from "../preview/preview";
import { Remarkable } from "../remarks/remarkable";
import { Discussion } from "../review/discussion";
import { addresses } from "../routes";
import { filled, numberIn, useWords } from "../words/words";
import { JustChanged } from "./just-changed";
import { PageTree } from "./page-tree";
import { type PageInTree, type Place, paramsOf, usePages } from "./place";
import { findById, findByPath, firstPage } from "./tree";
import { useDocument } from "./use-document";

export function PageOfSpace({
  organization,
  space,
  changeRequest,
  pagePath = "",
}: Place & { readonly pagePath?: string }) {
  const place: Place = { organization, space, changeRequest };
  const name = `${space} ${changeRequest ?? ""}`;
  const found = useHeld(useRead("getSpace", { params: paramsOf(place) }), name);
  const pages = useHeld(usePages(place), name);
  return (
    <Shown of={found}>
      {(it) => (
        <Shown of={pages}>{(tree) => <Opened place={place} space={it} pages={tree.pages} path={pagePath} />}</Shown>
      )}
    </Shown>
  );
}

/** What was shown last. */
interface Last {
  readonly path: string;
  readonly page: PageInTree;
  readonly isEditing: boolean;
}

function Opened({
  place,
  space,
  pages,
  path,
}: {
  readonly place: Place;
  readonly space: Space;
  readonly pages: readonly PageInTree[];
  readonly path: string;
}) {
  const words = useWords();
  const [isDirect, setDirect] = useState(false);
  const last = useRef<Last | undefined>(undefined);
  /** What is edited stays, also when others move it, delete it, or take away the right to change it. */
  const held = unsaved.get() && last.current?.path === path && last.current.isEditing ? last.current.page : undefined;
  const found = path === "" || path === "~" ? firstPage(pages) : findByPath(pages, path);
  const page = held ? (findById(pages, held.id) ?? held) : found;
  const isRequest = place.changeRequest !== undefined;
  const mayEdit = space.permissions.edit && (isRequest || space.editMode === "live");
  const isEditing = held !== undefined || (mayEdit && (isRequest || isDirect));
  if (page) last.current = { path, page, isEditing };
  const above: (readonly [string, string])[] = [
    [words.library, addresses.organization(place.organization)],
    [space.title, addresses.space(place.organization, place.space)],
    ...(isRequest
      ? [
          [
            `${words.changeRequest} #${place.changeRequest}`,
            addresses.changeRequest(place.organization, place.space, place.changeRequest!),
          ] as const,
        ]
      : []),
  ];
  return (
    <div class="space">
      <nav class="side" aria-label={words.pages}>
        <PageTree place={place} pages={pages} current={page?.id} mayEdit={mayEdit && (isRequest || isDirect)} />
      </nav>
      <div class="sheet">
        <PageHead title={page?.title ?? space.title} above={above}>
          {!isRequest && space.permissions.edit && (
            <EditButtons place={place} space={space} page={page} isDirect={isDirect} onDirect={setDirect} />
          )}
        </PageHead>
        {page ? (
          isEditing && page.kind === "sheet" && page.computed === undefined ? (
            <PageEditor
              key={page.id}
              place={place}
              pageId={page.id}
              pages={pages}
              lost={held && !findById(pages, held.id) ? "gone" : mayEdit ? undefined : "refused"}
            />
          ) : (
            <>
              <JustChanged key={page.id} place={place} pageId={page.id} />
              <ReadOnly place={place} page={page} pages={pages} mayComment={space.permissions.comment} />
            </>
          )
        ) : (
          <div class="empty">
            <p>{words.noPages}</p>
          </div>
        )}
      </div>
    </div>
  );
}

/** How editing begins: in a change request, or at once where the space lets it. */
function EditButtons({
  place,
  space,
  page,
  isDirect,
  onDirect,
}: {
  readonly place: Place;
  readonly space: Space;
  readonly page: PageInTree | undefined;
  readonly isDirect: boolean;
  readonly onDirect: (isDirect: boolean) => void;
}) {
  const words = useWords();
  const { route } = useLocation();
  const begin = useAction(async () => {
    const { number } = await write("createChangeRequest", { params: paramsOf(place), body: {} });
    route(
      page
        ? addresses.page(place.organization, place.space, String(number), page.path)
        : addresses.changeRequest(place.organization, place.space, number),
    );
  });
  const others = [
    ...(space.editMode === "live" && !isDirect ? [{ label: words.editHere, onSelect: () => onDirect(true) }] : []),
    {
      label: `${words.changeRequests} (${numberIn(words.inLanguage, space.changeRequests)})`,
      href: addresses.ofSpace(place.organization, place.space, "changes"),
    },
    { label: words.history, href: addresses.ofSpace(place.organization, place.space, "history") },
    ...(page
      ? [
          {
            label: filled(words.historyOf, { title: page.title }),
            href: addresses.ofSpace(place.organization, place.space, `history/${page.id}`),
          },
        ]
      : []),
    { label: words.access, href: addresses.ofSpace(place.organization, place.space, "access") },
    ...(space.permissions.admin
      ? [{ label: words.spaceSettings, href: addresses.ofSpace(place.organization, place.space, "settings") }]
      : []),
  ];
  return (
    <>
      <Problem error={begin.error} />
      {isDirect ? (
        <Button onClick={() => onDirect(false)}>{words.done}</Button>
      ) : (
        <Button kind="first" isBusy={begin.isBusy} onClick={() => void begin.run()}>
          {words.editInChangeRequest}
        </Button>
      )}
      <Menu label={words.more}>{others}</Menu>
    </>
  );
}

function ReadOnly({
  place,
  page,
  pages,
  mayComment,
}: {
  readonly place: Place;
  readonly page: PageInTree;
  readonly pages: readonly PageInTree[];
  readonly mayComment: boolean;
}) {
  const words = useWords();
  const document = useDocument(place, page.kind === "sheet" ? page.id : undefined);
  if (page.kind !== "sheet") return null;
  const ids = { spaceId: place.space, changeRequestId: place.changeRequest };
  return (
    <>
      <Shown of={document}>
        {(it) => (
          <Preview document={it} place={place} pages={pages} title={page.title} description={page.description}>
            {(markup) => (
              <Remarkable place={place} page={page.id} markup={markup} title={words.preview} mayComment={mayComment} />
            )}
          </Preview>
        )}
      </Shown>
      {mayComment && <Discussion key={page.id} params={ids} about={{ page: page.id }} mayComment />}
    </>
  );
}
