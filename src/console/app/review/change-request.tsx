// A change request: its changes, its reviews and conflicts, and its merge.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ChangeRequest, Conflict, ContentChange, Space } from "../../../generated/resources";
import { runMutation, useAction } from "../api/mutations";
import { useQuery } from "../api/queries";
import { Button, LinkButton } from "../components/button";
import { ActionError, Loaded } from "../components/loaded";
import { PageHead } from "../components/page-head";
import { type Messages, useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { Conflicts, FoundConflicts } from "./conflicts";
import { Discussion } from "./discussion";
import { getFieldLabel } from "./field-labels";
import { PageDiff } from "./page-diff";
import { RequestReview } from "./request-review";
import { Reviews } from "./reviews";
import { Status } from "./status";

interface ChangeRequestPath {
  readonly organization: string;
  readonly space: string;
  readonly changeRequest: string;
}

export function ChangeRequestPage({ organization, space, changeRequest }: ChangeRequestPath) {
  const params = { spaceId: space, changeRequestId: changeRequest };
  const found = useQuery("getChangeRequest", { params });
  const home = useQuery("getSpace", { params: { spaceId: space } });
  return (
    <Loaded of={found}>
      {(it) => (
        <Loaded of={home}>
          {(its) => (
            <ChangeRequestContent
              at={{ organization, space, changeRequest }}
              it={it}
              title={its.title}
              may={its.permissions}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

function ChangeRequestContent({
  at,
  it,
  title,
  may,
}: {
  readonly at: ChangeRequestPath;
  readonly it: ChangeRequest;
  readonly title: string;
  readonly may: Space["permissions"];
}) {
  const messages = useMessages();
  const { organization, space, changeRequest } = at;
  const params = { spaceId: space, changeRequestId: changeRequest };
  const [mergeConflicts, setMergeConflicts] = useState<readonly Conflict[]>();
  const merge = useAction(async () => {
    const { result, conflicts = [] } = await runMutation("mergeChangeRequest", { params });
    // The update records the conflicts in the change request, where they can be resolved.
    if (result === "conflicts" && may.edit) await runMutation("updateFromSpace", { params });
    setMergeConflicts(result === "conflicts" ? conflicts : undefined);
  });
  const update = useAction(() => runMutation("updateFromSpace", { params }));
  /** A merge that met conflicts goes on when its user has resolved the last of them. */
  const isResolvedHere = useRef(false);
  useEffect(() => {
    if (!mergeConflicts || it.conflicts > 0 || !isResolvedHere.current) return;
    isResolvedHere.current = false;
    void merge.run();
  }, [it.conflicts]);
  const setStatus = useAction((status: ChangeRequest["status"]) =>
    runMutation("updateChangeRequest", { params, body: { status } }),
  );
  const isOpen = it.status === "draft" || it.status === "open";
  return (
    <div class="page">
      <PageHead
        title={it.subject || `${messages.changeRequests.changeRequest} #${it.number}`}
        onRename={
          isOpen && may.edit
            ? (subject) => runMutation("updateChangeRequest", { params, body: { subject } })
            : undefined
        }
        above={[
          [title, addresses.space(organization, space)],
          [messages.layout.changeRequests, addresses.ofSpace(organization, space, "changes")],
          [`#${it.number}`, addresses.changeRequest(organization, space, it.number)],
        ]}
      >
        <Status of={it.status} />
        {may.edit && it.status === "draft" && <RequestReview params={params} changeRequest={it} />}
        {isOpen && may.merge && (
          <Button kind="first" action={merge}>
            {messages.changeRequests.merge}
          </Button>
        )}
        {may.edit && it.status !== "merged" && (
          <Button isBusy={setStatus.isBusy} onClick={() => void setStatus.run(isOpen ? "archived" : "draft")}>
            {isOpen ? messages.changeRequests.archive : messages.changeRequests.reopen}
          </Button>
        )}
      </PageHead>
      <ActionError error={merge.error ?? update.error ?? setStatus.error} />
      {isOpen && mergeConflicts && (
        <div class="notice" role="alert">
          <p>{may.edit ? messages.changeRequests.mergeHasConflicts : messages.changeRequests.mergeNeedsEditor}</p>
        </div>
      )}
      {isOpen && it.outdated && (
        <div class="notice">
          <p>{messages.changeRequests.outdated}</p>
          {may.edit && <Button action={update}>{messages.changeRequests.update}</Button>}
        </div>
      )}
      {isOpen && it.conflicts > 0 && may.edit && (
        <Conflicts
          place={at}
          count={it.conflicts}
          isInView={mergeConflicts !== undefined}
          onResolve={() => {
            isResolvedHere.current = true;
          }}
        />
      )}
      {isOpen && mergeConflicts && !may.edit && <FoundConflicts place={at} conflicts={mergeConflicts} />}
      <div class="with-aside">
        <div>
          <ChangeList at={at} base={it.revisionMergedAncestor ?? it.revisionInitial} mayComment={may.comment} />
          <Discussion params={params} mayComment={may.comment} />
        </div>
        <aside>
          <Reviews params={params} may={may} isOpen={isOpen} />
        </aside>
      </div>
    </div>
  );
}

function ChangeList({
  at,
  base,
  mayComment,
}: {
  readonly at: ChangeRequestPath;
  readonly base: string;
  readonly mayComment: boolean;
}) {
  const messages = useMessages();
  const { organization, space, changeRequest } = at;
  const changes = useQuery("listChangesOfChangeRequest", {
    params: { spaceId: space, changeRequestId: changeRequest },
  });
  return (
    <section>
      <div class="section-head">
        <h2>{messages.changeRequests.changes}</h2>
        <LinkButton href={addresses.page(organization, space, changeRequest, FIRST)}>
          {messages.changeRequests.openEditor}
        </LinkButton>
      </div>
      <Loaded of={changes}>
        {({ changes: list, more }) =>
          list.length === 0 ? (
            <p class="empty">{messages.changeRequests.noChanges}</p>
          ) : (
            <>
              <p class="legend">
                <ins>{messages.changeRequests.added}</ins> <del>{messages.changeRequests.removed}</del>
              </p>
              <ul class="rows">
                {list.map((change, index) => (
                  <li key={JSON.stringify(change)}>
                    <ChangeRow at={at} base={base} change={change} isFirst={index === 0} mayComment={mayComment} />
                  </li>
                ))}
              </ul>
              {more > 0 && <p>{messages.changeRequests.moreChanges}</p>}
            </>
          )
        }
      </Loaded>
    </section>
  );
}

/** A change that can be expanded to its difference. `revision` compares a revision with the one before it. */
export function ChangeRow({
  at,
  base,
  revision,
  change,
  isFirst,
  mayComment = false,
  children,
}: {
  readonly at: Omit<ChangeRequestPath, "changeRequest"> & { readonly changeRequest?: string | undefined };
  readonly base: string | undefined;
  readonly revision?: string;
  readonly change: ContentChange;
  readonly isFirst: boolean;
  readonly mayComment?: boolean;
  /** The actions for this change. */
  readonly children?: ComponentChildren;
}) {
  const messages = useMessages();
  const [isOpen, setOpen] = useState(isFirst);
  const description = describeChange(change, messages);
  if (!("page" in change) || change.type === "page_moved") return <div>{description}</div>;
  const isText =
    change.page.type === "document" && (change.type !== "page_edited" || change.attributes.includes("document"));
  if (!isText) return <div>{description}</div>;
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{description}</summary>
      {isOpen && (
        <PageDiff
          place={at}
          base={base}
          revision={revision}
          page={change.page.id}
          kind={change.type}
          mayComment={mayComment}
        />
      )}
      {children}
      {change.type !== "page_deleted" && at.changeRequest !== undefined && (
        <p>
          <a href={addresses.page(at.organization, at.space, at.changeRequest, change.page.path)}>
            {messages.changeRequests.openEditor}
          </a>
        </p>
      )}
    </details>
  );
}

/** The path that opens the first page of a change request. No page has it. */
const FIRST = "~";

/** Describes a change in one line. */
function describeChange(change: ContentChange, messages: Messages): string {
  const named = (what: string, name: string) => `${what}: ${name}`;
  switch (change.type) {
    case "page_created":
      return named(messages.changeRequests.pageCreated, change.page.title);
    case "page_deleted":
      return named(messages.changeRequests.pageDeleted, change.page.title);
    case "page_moved":
      return `${named(messages.changeRequests.pageMoved, change.page.title)} (${change.from.path} → ${change.to.path})`;
    case "page_edited":
      return `${named(messages.changeRequests.pageEdited, change.page.title)} (${change.attributes.map((it) => getFieldLabel(it, messages)).join(", ")})`;
    case "file_created":
    case "file_edited":
    case "file_deleted":
      return named(messages.changeRequests.file, change.file.name);
    case "reusable_content_created":
    case "reusable_content_edited":
    case "reusable_content_deleted":
      return named(messages.changeRequests.reusableContent, change.reusableContent.title);
    default:
      return named(messages.changeRequests.variable, `${change.variable.name} = ${change.variable.after ?? "—"}`);
  }
}
