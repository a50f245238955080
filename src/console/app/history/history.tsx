// The history of a space or of one page: its revisions with their authors, their changes, and the way to restore them.

import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { ContentChange, RevisionSummary, Space } from "../../../generated/resources";
import { formatLocalizedNumber, formatMessage } from "../../../locales/format-message";
import { omitUndefined } from "../../../utils/objects";
import { call } from "../api/client";
import { runMutation, useAction } from "../api/mutations";
import { useList, useQuery } from "../api/queries";
import { Button } from "../components/button";
import { Confirm } from "../components/confirm";
import { ActionError, Loaded, LoadedList } from "../components/loaded";
import { PageHead } from "../components/page-head";
import { RelativeTime } from "../components/relative-time";
import { useMessages } from "../messages/messages";
import { ChangeRow } from "../review/change-request";
import { addresses } from "../routes";
import { applyChanges, type ContentPlace, readRevisionPages } from "../space/content-place";
import { buildUndoChanges, listDeletedPages } from "./build-undo-changes";

interface HistoryScope {
  readonly organization: string;
  readonly space: string;
  /** The id of a page. Shows only its changes. */
  readonly page?: string;
}

/** Shows the history. `revision` is opened in it. */
export function History({ organization, space, page, revision: named }: HistoryScope & { readonly revision?: string }) {
  const messages = useMessages();
  const found = useQuery("getSpace", { params: { spaceId: space } });
  const pageQuery = useQuery("getPage", page === undefined ? undefined : { params: { spaceId: space, pageId: page } });
  const revisions = useList("listRevisions", { params: { spaceId: space } });
  const { reading, more } = revisions;
  const isFound = reading.state === "loaded" && reading.value.some(({ id }) => id === named);
  useEffect(() => {
    if (named !== undefined && !isFound) more?.();
  });
  const title =
    pageQuery.state === "loaded"
      ? formatMessage(messages.history.historyOf, { title: pageQuery.value.title })
      : messages.space.history;
  return (
    <Loaded of={found}>
      {(it) => (
        <div class="page">
          <PageHead
            title={title}
            above={[
              [messages.layout.library, addresses.organization(organization)],
              [it.title, addresses.space(organization, space)],
            ]}
          />
          <LoadedList of={revisions} empty={<p>{messages.history.noHistory}</p>}>
            {(items) => (
              <ul class="rows history">
                {items.map((revision, index) => (
                  <RevisionRow
                    key={revision.id}
                    at={{ organization, space, ...omitUndefined({ page }) }}
                    space={it}
                    revision={revision}
                    later={items.slice(0, index)}
                    isNamed={revision.id === named}
                  />
                ))}
              </ul>
            )}
          </LoadedList>
        </div>
      )}
    </Loaded>
  );
}

function RevisionRow({
  at,
  space,
  revision,
  later,
  isNamed,
}: {
  readonly at: HistoryScope;
  readonly space: Space;
  readonly revision: RevisionSummary;
  /** The later revisions. */
  readonly later: readonly RevisionSummary[];
  /** True if the URL names this revision. */
  readonly isNamed: boolean;
}) {
  const messages = useMessages();
  const [isOpen, setOpen] = useState(isNamed);
  const isOfPage = at.page !== undefined;
  const params = { spaceId: at.space, revisionId: revision.id };
  const changes = useQuery("listRevisionChanges", isOpen || isOfPage ? { params } : undefined);
  const isMeant = (it: ContentChange) => !isOfPage || ("page" in it && it.page.id === at.page);
  const isShown = !isOfPage || (changes.state === "loaded" && changes.value.changes.some(isMeant));
  const author = useQuery(
    "getMember",
    isShown ? { params: { organizationId: at.organization, userId: revision.createdBy } } : undefined,
  );
  if (!isShown) return null;
  return (
    <li>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <strong>
            {revision.type === "merge"
              ? messages.history.revisionMerge
              : revision.type === "edits"
                ? messages.history.revisionEdits
                : messages.history.revisionUpdate}
            {revision.git?.message && (
              <>
                {" · "}
                <bdi>{revision.git.message}</bdi>
              </>
            )}
          </strong>{" "}
          <small>
            #{formatLocalizedNumber(messages.inLanguage, revision.number)} ·{" "}
            <bdi>{author.state === "loaded" ? author.value.user.displayName : messages.comments.formerMember}</bdi> ·{" "}
            <RelativeTime at={revision.createdAt} />
          </small>
          {space.revision === revision.id && <span class="status open">{messages.history.revisionNow}</span>}
        </summary>
        {isOpen && (
          <Loaded of={changes}>
            {({ changes: list, more }) => (
              <>
                {list.length === 0 && <p class="empty">{messages.changeRequests.noChanges}</p>}
                {list.filter(isMeant).map((it, index) => (
                  <ChangeRow
                    key={JSON.stringify(it)}
                    at={at}
                    base={revision.parents[0]}
                    revision={revision.id}
                    change={it}
                    isFirst={index === 0}
                  >
                    {"page" in it && it.type !== "page_deleted" && later.length > 0 && space.permissions.edit && (
                      <RestorePage at={at} space={space} revision={revision.id} page={it.page.id} path={it.page.path} />
                    )}
                  </ChangeRow>
                ))}
                {more > 0 && <p>{messages.changeRequests.moreChanges}</p>}
              </>
            )}
          </Loaded>
        )}
        {isOpen && !isOfPage && later.length > 0 && space.permissions.edit && (
          <RestoreSpace at={at} revision={revision.id} later={later} />
        )}
      </details>
    </li>
  );
}

/** Restores a page: directly if the space allows it, otherwise in a change request. */
function RestorePage({
  at,
  space,
  revision,
  page,
  path,
}: {
  readonly at: HistoryScope;
  readonly space: Space;
  readonly revision: string;
  readonly page: string;
  readonly path: string;
}) {
  const messages = useMessages();
  const { route } = useLocation();
  const act = async () => {
    const place = space.editMode === "live" ? { ...at } : await startChangeRequest(at);
    await applyChanges(place, [{ operation: "revert_page", page, revision }]);
    if (place.changeRequest !== undefined)
      route(addresses.changeRequest(at.organization, at.space, place.changeRequest));
    else route(addresses.page(at.organization, at.space, undefined, path));
  };
  return (
    <p>
      <Confirm kind="second" label={messages.history.backToThis} question={messages.history.pageBackWhy} act={act} />
    </p>
  );
}

async function startChangeRequest({ organization, space }: HistoryScope): Promise<ContentPlace> {
  const { number } = await runMutation("createChangeRequest", { params: { spaceId: space }, body: {} });
  return { organization, space, changeRequest: String(number) };
}

/** Undoes everything after a revision in a change request. */
function RestoreSpace({
  at,
  revision,
  later,
}: {
  readonly at: HistoryScope;
  readonly revision: string;
  readonly later: readonly RevisionSummary[];
}) {
  const messages = useMessages();
  const { route } = useLocation();
  const [isNothing, setNothing] = useState(false);
  const undo = useAction(async () => {
    const [then, now] = await Promise.all([
      readRevisionPages(at.space, revision),
      readRevisionPages(at.space, later[0]!.id),
    ]);
    const answers = await Promise.all(
      later.map(({ id }) => call("listRevisionChanges", { params: { spaceId: at.space, revisionId: id } })),
    );
    const changes = answers.flatMap((it) => {
      if (!it.ok) throw it.error;
      return it.value.changes;
    });
    const texts = new Map<string, string>();
    for (const pageId of listDeletedPages({ before: then.pages, now: now.pages })) {
      const page = await call("getRevisionPage", { params: { spaceId: at.space, revisionId: revision, pageId } });
      if (!page.ok) throw page.error;
      texts.set(pageId, page.value.markdown ?? "");
    }
    const plan = buildUndoChanges({
      revision,
      before: then.pages,
      now: now.pages,
      changes,
      texts,
      variables: then.variables,
    });
    setNothing(plan.length === 0);
    if (plan.length === 0) return;
    const place = await startChangeRequest(at);
    await applyChanges(place, plan);
    route(addresses.changeRequest(at.organization, at.space, place.changeRequest!));
  });
  return (
    <div class="notice">
      <p>{isNothing ? messages.history.spaceBackNothing : messages.history.spaceBackWhy}</p>
      <Button action={undo}>{messages.history.spaceBack}</Button>
      <ActionError error={undo.error} />
    </div>
  );
}
