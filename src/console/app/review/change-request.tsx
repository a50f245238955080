// A change request: what it changes, what is left to do, and how it ends.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { ChangeRequest, Conflict, ContentChange, Space } from "../../../generated/resources";
import { useRead } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Button, LinkButton } from "../parts/button";
import { TextField } from "../parts/field";
import { Form } from "../parts/form";
import { PageHead } from "../parts/page-head";
import { Problem, Shown } from "../parts/shown";
import { addresses } from "../routes";
import { useWords, type Words } from "../words/words";
import { memberWords } from "./change-words";
import { Conflicts, FoundConflicts } from "./conflicts";
import { Discussion } from "./discussion";
import { PageDiff } from "./page-diff";
import { Reviews } from "./reviews";
import { Status } from "./status";

interface At {
  readonly organization: string;
  readonly space: string;
  readonly changeRequest: string;
}

export function ChangeRequestPage({ organization, space, changeRequest }: At) {
  const params = { spaceId: space, changeRequestId: changeRequest };
  const found = useRead("getChangeRequest", { params });
  const home = useRead("getSpace", { params: { spaceId: space } });
  return (
    <Shown of={found}>
      {(it) => (
        <Shown of={home}>
          {(its) => (
            <Opened at={{ organization, space, changeRequest }} it={it} title={its.title} may={its.permissions} />
          )}
        </Shown>
      )}
    </Shown>
  );
}

function Opened({
  at,
  it,
  title,
  may,
}: {
  readonly at: At;
  readonly it: ChangeRequest;
  readonly title: string;
  readonly may: Space["permissions"];
}) {
  const words = useWords();
  const { organization, space, changeRequest } = at;
  const params = { spaceId: space, changeRequestId: changeRequest };
  const [mergeConflicts, setMergeConflicts] = useState<readonly Conflict[]>();
  const merge = useAction(async () => {
    const { result, conflicts = [] } = await write("mergeChangeRequest", { params });
    // The update records the conflicts in the change request, where they can be resolved.
    if (result === "conflicts" && may.edit) await write("updateFromSpace", { params });
    setMergeConflicts(result === "conflicts" ? conflicts : undefined);
  });
  const update = useAction(() => write("updateFromSpace", { params }));
  const setStatus = useAction((status: ChangeRequest["status"]) =>
    write("updateChangeRequest", { params, body: { status } }),
  );
  const isOpen = it.status === "draft" || it.status === "open";
  return (
    <div class="page">
      <PageHead
        title={`#${it.number} ${it.subject || words.noSubject}`}
        above={[
          [title, addresses.space(organization, space)],
          [words.changeRequests, addresses.ofSpace(organization, space, "changes")],
        ]}
      >
        <Status of={it.status} />
        {isOpen && may.edit && it.status === "draft" && (
          <Button isBusy={setStatus.isBusy} onClick={() => void setStatus.run("open")}>
            {words.askForReview}
          </Button>
        )}
        {isOpen && may.merge && (
          <Button kind="first" isBusy={merge.isBusy} onClick={() => void merge.run()}>
            {words.merge}
          </Button>
        )}
        {may.edit && it.status !== "merged" && (
          <Button isBusy={setStatus.isBusy} onClick={() => void setStatus.run(isOpen ? "archived" : "draft")}>
            {isOpen ? words.archive : words.reopen}
          </Button>
        )}
      </PageHead>
      <Problem error={merge.error ?? update.error ?? setStatus.error} />
      {isOpen && mergeConflicts && (
        <div class="notice" role="alert">
          <p>{may.edit ? words.mergeHasConflicts : words.mergeNeedsEditor}</p>
        </div>
      )}
      {isOpen && it.outdated && (
        <div class="notice">
          <p>{words.outdated}</p>
          {may.edit && (
            <Button isBusy={update.isBusy} onClick={() => void update.run()}>
              {words.update}
            </Button>
          )}
        </div>
      )}
      {isOpen && it.conflicts > 0 && may.edit && (
        <Conflicts place={at} count={it.conflicts} isInView={mergeConflicts !== undefined} />
      )}
      {isOpen && mergeConflicts && !may.edit && <FoundConflicts place={at} conflicts={mergeConflicts} />}
      {isOpen && may.edit && <Subject key={it.id} params={params} subject={it.subject} />}
      <Changes at={at} base={it.revisionMergedAncestor ?? it.revisionInitial} mayComment={may.comment} />
      <Reviews organization={organization} params={params} may={may} isOpen={isOpen} />
      <Discussion params={params} mayComment={may.comment} />
    </div>
  );
}

function Subject({
  params,
  subject,
}: {
  readonly params: { spaceId: string; changeRequestId: string };
  readonly subject: string;
}) {
  const words = useWords();
  const [value, setValue] = useState(subject);
  const save = useAction(() => write("updateChangeRequest", { params, body: { subject: value } }));
  return (
    <Form action={save} submit={words.save}>
      <TextField label={words.subject} value={value} onInput={setValue} maxLength={255} />
    </Form>
  );
}

function Changes({ at, base, mayComment }: { readonly at: At; readonly base: string; readonly mayComment: boolean }) {
  const words = useWords();
  const { organization, space, changeRequest } = at;
  const changes = useRead("listChangesOfChangeRequest", {
    params: { spaceId: space, changeRequestId: changeRequest },
  });
  return (
    <section>
      <div class="section-head">
        <h2>{words.changes}</h2>
        <LinkButton href={addresses.page(organization, space, changeRequest, FIRST)}>{words.openEditor}</LinkButton>
      </div>
      <Shown of={changes}>
        {({ changes: list, more }) =>
          list.length === 0 ? (
            <p class="empty">{words.noChanges}</p>
          ) : (
            <>
              <ul class="rows">
                {list.map((change, index) => (
                  <li key={JSON.stringify(change)}>
                    <OneChange at={at} base={base} change={change} isFirst={index === 0} mayComment={mayComment} />
                  </li>
                ))}
              </ul>
              {more && <p>{words.moreChanges}</p>}
            </>
          )
        }
      </Shown>
    </section>
  );
}

/** A change, which is opened to see what it does. Of a revision, it is what that one changed. */
export function OneChange({
  at,
  base,
  revision,
  change,
  isFirst,
  mayComment = false,
  children,
}: {
  readonly at: Omit<At, "changeRequest"> & { readonly changeRequest?: string | undefined };
  readonly base: string | undefined;
  readonly revision?: string;
  readonly change: ContentChange;
  readonly isFirst: boolean;
  readonly mayComment?: boolean;
  /** What can be done about it. */
  readonly children?: ComponentChildren;
}) {
  const words = useWords();
  const [isOpen, setOpen] = useState(isFirst);
  const said = described(change, words);
  if (!("page" in change) || change.type === "page_moved") return <div>{said}</div>;
  const isText =
    change.page.type === "document" && (change.type !== "page_edited" || change.attributes.includes("document"));
  if (!isText) return <div>{said}</div>;
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{said}</summary>
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
          <a href={addresses.page(at.organization, at.space, at.changeRequest, change.page.path)}>{words.openEditor}</a>
        </p>
      )}
    </details>
  );
}

/** Opens the first page of a change request: no page has this path. */
const FIRST = "~";

/** A change in a few words. */
function described(change: ContentChange, words: Words): string {
  const named = (what: string, name: string) => `${what}: ${name}`;
  switch (change.type) {
    case "page_created":
      return named(words.pageCreated, change.page.title);
    case "page_deleted":
      return named(words.pageDeleted, change.page.title);
    case "page_moved":
      return `${named(words.pageMoved, change.page.title)} (${change.from.path} → ${change.to.path})`;
    case "page_edited":
      return `${named(words.pageEdited, change.page.title)} (${change.attributes.map((it) => memberWords(it, words)).join(", ")})`;
    case "file_created":
    case "file_edited":
    case "file_deleted":
      return named(words.file, change.file.name);
    case "reusable_content_created":
    case "reusable_content_edited":
    case "reusable_content_deleted":
      return named(words.reusableContent, change.reusableContent.title);
    default:
      return named(words.variable, `${change.variable.name} = ${change.variable.after ?? "—"}`);
  }
}
