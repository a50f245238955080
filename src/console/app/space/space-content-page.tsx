// A page of a space or of a change request, for reading or editing, with the page tree beside it.

import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { Space } from "../../../generated/resources";
import { formatLocalizedNumber, formatMessage } from "../../../locales/format-message";
import { runMutation, useAction } from "../api/mutations";
import { useQuery } from "../api/queries";
import { Button, LinkButton } from "../components/button";
import { EditableTitle } from "../components/editable-title";
import { Icon } from "../components/icon";
import { ActionError, Loaded } from "../components/loaded";
import { Menu } from "../components/menu";
import { PageHead } from "../components/page-head";
import { PageEditor } from "../editor/page-editor";
import { unsavedStore, useHeldQuery } from "../editor/unsaved";
import { useIsNarrow } from "../layout/use-is-narrow";
import { onEvent } from "../live/event-stream";
import { useMessages } from "../messages/messages";
import { Preview } from "../preview/preview";
import { CommentableDocument } from "../review/commentable-document";
import { Discussion } from "../review/discussion";
import { RequestReview } from "../review/request-review";
import { addresses } from "../routes";
import { applyChanges, type ContentPlace, type PageInTree, usePages } from "./content-place";
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
          {(tree) => <SpaceContent key={name} place={place} space={it} pages={tree.pages} path={pagePath} />}
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
  const { query, path: url } = useLocation();
  /** A new space is opened in the editor. */
  const [isDirect, setDirect] = useState(query.edit !== undefined);
  const [isTreeOpen, setTreeOpen] = useState(false);
  useEffect(() => setTreeOpen(false), [url]);
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
  const requestPath = isRequest
    ? addresses.changeRequest(place.organization, place.space, place.changeRequest!)
    : undefined;
  return (
    <div class="space">
      <nav class={isTreeOpen ? "side open" : "side"} aria-label={messages.space.pages}>
        <header>
          <a class="back" href={addresses.organization(place.organization)}>
            <Icon name="left" />
            {messages.layout.library}
          </a>
          <EditableTitle
            title={space.title}
            onRename={
              space.permissions.edit
                ? (title) => runMutation("updateSpace", { params: { spaceId: place.space }, body: { title } })
                : undefined
            }
          >
            <a class="space-title" href={addresses.space(place.organization, place.space)}>
              {space.emoji ? <span class="emoji">{space.emoji}</span> : <Icon name="book" />}
              <bdi>{space.title}</bdi>
            </a>
          </EditableTitle>
        </header>
        <PageTree place={place} pages={pages} current={page?.id} mayEdit={mayEdit && (isRequest || isDirect)} />
      </nav>
      <div class="sheet">
        <PageHead
          title={page?.title ?? space.title}
          isCompact
          above={
            requestPath === undefined
              ? [[space.title, addresses.space(place.organization, place.space)]]
              : [
                  [space.title, addresses.space(place.organization, place.space)],
                  [`${messages.changeRequests.changeRequest} #${place.changeRequest}`, requestPath],
                ]
          }
        >
          <button
            type="button"
            class="button quiet tree-opener"
            aria-expanded={isTreeOpen}
            onClick={() => setTreeOpen(!isTreeOpen)}
          >
            <Icon name="page" />
            {messages.space.pages}
          </button>
          {requestPath !== undefined && space.permissions.edit && (
            <ChangeRequestButtons place={place} path={requestPath} />
          )}
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
          <EmptySpace place={place} space={space} onCreated={() => setDirect(true)} />
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
  const isNarrow = useIsNarrow();
  const begin = useAction(async () => {
    const { number } = await runMutation("createChangeRequest", { params: { spaceId: place.space }, body: {} });
    route(
      page
        ? addresses.page(place.organization, place.space, String(number), page.path)
        : addresses.changeRequest(place.organization, place.space, number),
    );
  });
  const isLive = space.editMode === "live" && page !== undefined;
  const others = [
    ...(isLive && isNarrow ? [{ label: messages.space.editInChangeRequest, onSelect: () => void begin.run() }] : []),
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
        <>
          {isLive && (
            <Button kind="first" onClick={() => onDirect(true)}>
              {messages.space.edit}
            </Button>
          )}
          {isLive && isNarrow ? null : (
            <Button kind={isLive ? "second" : "first"} action={begin}>
              {messages.space.editInChangeRequest}
            </Button>
          )}
        </>
      )}
      <Menu label={messages.general.more}>{others}</Menu>
    </>
  );
}

/** The buttons of the editor of a change request: its overview, and the request for a review while it is a draft. */
function ChangeRequestButtons({ place, path }: { readonly place: ContentPlace; readonly path: string }) {
  const messages = useMessages();
  const { route } = useLocation();
  const params = { spaceId: place.space, changeRequestId: place.changeRequest! };
  const found = useQuery("getChangeRequest", { params });
  return (
    <>
      <LinkButton href={path}>{messages.changeRequests.viewChanges}</LinkButton>
      {found.state === "loaded" && found.value.status === "draft" && (
        <RequestReview params={params} changeRequest={found.value} onDone={() => route(path)} />
      )}
    </>
  );
}

/** Shown in place of the pages of a space that has none, with a button that creates the first one. */
function EmptySpace({
  place,
  space,
  onCreated,
}: {
  readonly place: ContentPlace;
  readonly space: Space;
  readonly onCreated: () => void;
}) {
  const messages = useMessages();
  const isWritable = place.changeRequest !== undefined || space.editMode === "live";
  const create = useAction(async () => {
    await applyChanges(place, [
      { operation: "insert_page", title: messages.space.untitledPage, document: { markdown: "" } },
    ]);
    onCreated();
  });
  return (
    <div class="empty centered">
      <p>{messages.space.noPages}</p>
      <ActionError error={create.error} />
      {space.permissions.edit && (
        <div class="buttons">
          {isWritable && (
            <Button kind="first" action={create}>
              {messages.library.writePage}
            </Button>
          )}
          {place.changeRequest === undefined && (
            <LinkButton href={addresses.ofSpace(place.organization, place.space, "import")}>
              {messages.library.importContent}
            </LinkButton>
          )}
        </div>
      )}
    </div>
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
