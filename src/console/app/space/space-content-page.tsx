// A page of a space or of a change request, for reading or editing, with the page tree beside it.

import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { Space } from "../../../generated/resources";
import { formatLocalizedNumber, formatMessage } from "../../../locales/format-message";
import { runMutation, useAction } from "../api/mutations";
import { useQuery } from "../api/queries";
import { Button } from "../components/button";
import { ActionError, Loaded } from "../components/loaded";
import { Menu } from "../components/menu";
import { PageHead } from "../components/page-head";
import { PageEditor } from "../editor/page-editor";
import { unsavedStore, useHeldQuery } from "../editor/unsaved";
import { onEvent } from "../live/event-stream";
import { useMessages } from "../messages/messages";
import { Preview } from "../preview/preview";
import { CommentableDocument } from "../review/commentable-document";
import { Discussion } from "../review/discussion";
import { addresses } from "../routes";
import { type ContentPlace, type PageInTree, usePages } from "./content-place";
import { PageTree } from "./page-tree";
import { findById, findByPath, findFirstPage } from "./tree-rows";
import { useDocument } from "./use-document";

export function SpaceContentPage({
  organization,
  space,
  changeRequest,
  pagePath = "",
}: ContentPlace & { readonly pagePath?: string }) {
  const place: ContentPlace = { organization, space, changeRequest };
  const name = `${space} ${changeRequest ?? ""}`;
  const found = useHeldQuery(useQuery("getSpace", { params: { spaceId: place.space } }), name);
  const pages = useHeldQuery(usePages(place), name);
  return (
    <Loaded of={found}>
      {(it) => (
        <Loaded of={pages}>
          {(tree) => <SpaceContent place={place} space={it} pages={tree.pages} path={pagePath} />}
        </Loaded>
      )}
    </Loaded>
  );
}

/** The page that was shown last. */
interface LastShownPage {
  readonly path: string;
  readonly page: PageInTree;
  readonly isEditing: boolean;
}

function SpaceContent({
  place,
  space,
  pages,
  path,
}: {
  readonly place: ContentPlace;
  readonly space: Space;
  readonly pages: readonly PageInTree[];
  readonly path: string;
}) {
  const messages = useMessages();
  const [isDirect, setDirect] = useState(false);
  const last = useRef<LastShownPage | undefined>(undefined);
  /** An edited page stays on the screen, even if others move it, delete it, or revoke the permission to edit it. */
  const held =
    unsavedStore.get() && last.current?.path === path && last.current.isEditing ? last.current.page : undefined;
  const found = path === "" || path === "~" ? findFirstPage(pages) : findByPath(pages, path);
  const page = held ? (findById(pages, held.id) ?? held) : found;
  const isRequest = place.changeRequest !== undefined;
  const mayEdit = space.permissions.edit && (isRequest || space.editMode === "live");
  const isEditing = held !== undefined || (mayEdit && (isRequest || isDirect));
  if (page) last.current = { path, page, isEditing };
  const isInEditor = isEditing && page?.kind === "sheet" && page.computed === undefined;
  const document = useDocument(place, page?.kind === "sheet" && !isInEditor ? page.id : undefined);
  const above: (readonly [string, string])[] = [
    [messages.layout.library, addresses.organization(place.organization)],
    [space.title, addresses.space(place.organization, place.space)],
    ...(isRequest
      ? [
          [
            `${messages.changeRequests.changeRequest} #${place.changeRequest}`,
            addresses.changeRequest(place.organization, place.space, place.changeRequest!),
          ] as const,
        ]
      : []),
  ];
  return (
    <div class="space">
      <nav class="side" aria-label={messages.space.pages}>
        <PageTree place={place} pages={pages} current={page?.id} mayEdit={mayEdit && (isRequest || isDirect)} />
      </nav>
      <div class="sheet">
        <PageHead title={page?.title ?? space.title} above={above}>
          {!isRequest && space.permissions.edit && (
            <EditButtons place={place} space={space} page={page} isDirect={isDirect} onDirect={setDirect} />
          )}
        </PageHead>
        {page ? (
          isInEditor ? (
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
              {page.kind === "sheet" && (
                <>
                  <Loaded of={document}>
                    {(it) => (
                      <Preview
                        document={it}
                        place={place}
                        pages={pages}
                        title={page.title}
                        description={page.description}
                      >
                        {(markup) => (
                          <CommentableDocument
                            place={place}
                            page={page.id}
                            markup={markup}
                            title={messages.editor.preview}
                            mayComment={space.permissions.comment}
                          />
                        )}
                      </Preview>
                    )}
                  </Loaded>
                  {space.permissions.comment && (
                    <Discussion
                      key={page.id}
                      params={{ spaceId: place.space, changeRequestId: place.changeRequest }}
                      about={{ page: page.id }}
                      mayComment
                    />
                  )}
                </>
              )}
            </>
          )
        ) : (
          <div class="empty">
            <p>{messages.space.noPages}</p>
          </div>
        )}
      </div>
    </div>
  );
}

/** The buttons that start editing: in a change request, or directly if the space allows it. */
function EditButtons({
  place,
  space,
  page,
  isDirect,
  onDirect,
}: {
  readonly place: ContentPlace;
  readonly space: Space;
  readonly page: PageInTree | undefined;
  readonly isDirect: boolean;
  readonly onDirect: (isDirect: boolean) => void;
}) {
  const messages = useMessages();
  const { route } = useLocation();
  const begin = useAction(async () => {
    const { number } = await runMutation("createChangeRequest", { params: { spaceId: place.space }, body: {} });
    route(
      page
        ? addresses.page(place.organization, place.space, String(number), page.path)
        : addresses.changeRequest(place.organization, place.space, number),
    );
  });
  const others = [
    ...(space.editMode === "live" && !isDirect
      ? [{ label: messages.space.editHere, onSelect: () => onDirect(true) }]
      : []),
    {
      label: `${messages.layout.changeRequests} (${formatLocalizedNumber(messages.inLanguage, space.changeRequests)})`,
      href: addresses.ofSpace(place.organization, place.space, "changes"),
    },
    { label: messages.imports.importHead, href: addresses.ofSpace(place.organization, place.space, "import") },
    { label: messages.git.git, href: addresses.ofSpace(place.organization, place.space, "git") },
    { label: messages.variables.variables, href: addresses.ofSpace(place.organization, place.space, "variables") },
    { label: messages.space.history, href: addresses.ofSpace(place.organization, place.space, "history") },
    ...(page
      ? [
          {
            label: formatMessage(messages.history.historyOf, { title: page.title }),
            href: addresses.ofSpace(place.organization, place.space, `history/${page.id}`),
          },
        ]
      : []),
    { label: messages.access.access, href: addresses.ofSpace(place.organization, place.space, "access") },
    ...(space.permissions.admin
      ? [
          {
            label: messages.spaceSettings.spaceSettings,
            href: addresses.ofSpace(place.organization, place.space, "settings"),
          },
        ]
      : []),
  ];
  return (
    <>
      <ActionError error={begin.error} />
      {isDirect ? (
        <Button onClick={() => onDirect(false)}>{messages.editor.done}</Button>
      ) : (
        <Button kind="first" action={begin}>
          {messages.space.editInChangeRequest}
        </Button>
      )}
      <Menu label={messages.general.more}>{others}</Menu>
    </>
  );
}

/** Announces that another user changed the page on the screen, which is already up to date by then. */
function JustChanged({ place, pageId }: { readonly place: ContentPlace; readonly pageId: string }) {
  const messages = useMessages();
  const me = useQuery("getCurrentUser", {});
  const own = me.state === "loaded" ? me.value.id : undefined;
  const [isTold, tell] = useState(false);
  useEffect(
    () =>
      onEvent((event) => {
        const isHere =
          "content" in event && event.content?.space === place.space && event.content.pages.includes(pageId);
        const isOfRequest = "content" in event && event.content?.changeRequest !== undefined;
        const isOwn = event.type === "changed" && event.by.id === own;
        if (isHere && isOfRequest === (place.changeRequest !== undefined) && !isOwn) tell(true);
      }),
    [pageId, own],
  );
  return (
    <div role="status">
      {isTold && (
        <div class="notice">
          <p>{messages.editor.changedJustNow}</p>
          <Button onClick={() => tell(false)}>{messages.general.close}</Button>
        </div>
      )}
    </div>
  );
}
