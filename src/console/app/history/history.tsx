// The history of a space, or of one page: who changed what and when, what it was before, and the way back to it.

import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { ContentChange, RevisionSummary, Space } from "../../../generated/resources";
import { omitUndefined } from "../../../utils/objects";
import { call } from "../calls/client";
import { useList, useRead } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Button } from "../parts/button";
import { Confirm } from "../parts/confirm";
import { PageHead } from "../parts/page-head";
import { Problem, Shown, ShownList } from "../parts/shown";
import { When } from "../parts/when";
import { OneChange } from "../review/change-request";
import { addresses } from "../routes";
import { change, type Place, readPagesOf } from "../space/place";
import { filled, numberIn, useWords, type Words } from "../words/words";
import { deletedSince, undoing } from "./undo";

interface At {
  readonly organization: string;
  readonly space: string;
  /** The id of a page: only what happened to it. */
  readonly page?: string;
}

/** The address of a revision opens it in the history. */
export function History({ organization, space, page, revision: named }: At & { readonly revision?: string }) {
  const words = useWords();
  const found = useRead("getSpace", { params: { spaceId: space } });
  const shown = useRead("getPage", page === undefined ? undefined : { params: { spaceId: space, pageId: page } });
  const revisions = useList("listRevisions", { params: { spaceId: space } });
  const { reading, more } = revisions;
  const isFound = reading.state === "had" && reading.value.some(({ id }) => id === named);
  useEffect(() => {
    if (named !== undefined && !isFound) more?.();
  });
  const title = shown.state === "had" ? filled(words.historyOf, { title: shown.value.title }) : words.history;
  return (
    <Shown of={found}>
      {(it) => (
        <div class="page">
          <PageHead
            title={title}
            above={[
              [words.library, addresses.organization(organization)],
              [it.title, addresses.space(organization, space)],
            ]}
          />
          <ShownList of={revisions} empty={<p>{words.noHistory}</p>}>
            {(items) => (
              <ul class="rows history">
                {items.map((revision, index) => (
                  <OneRevision
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
          </ShownList>
        </div>
      )}
    </Shown>
  );
}

function OneRevision({
  at,
  space,
  revision,
  later,
  isNamed,
}: {
  readonly at: At;
  readonly space: Space;
  readonly revision: RevisionSummary;
  /** The revisions that came after it. */
  readonly later: readonly RevisionSummary[];
  /** Whether the address names it. */
  readonly isNamed: boolean;
}) {
  const words = useWords();
  const [isOpen, setOpen] = useState(isNamed);
  const isOfPage = at.page !== undefined;
  const params = { spaceId: at.space, revisionId: revision.id };
  const changes = useRead("listRevisionChanges", isOpen || isOfPage ? { params } : undefined);
  const isMeant = (it: ContentChange) => !isOfPage || ("page" in it && it.page.id === at.page);
  if (isOfPage && (changes.state !== "had" || !changes.value.changes.some(isMeant))) return null;
  return (
    <li>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <strong>
            {wordsFor(revision, words)}
            {revision.git?.message && (
              <>
                {" · "}
                <bdi>{revision.git.message}</bdi>
              </>
            )}
          </strong>{" "}
          <small>
            #{numberIn(words.inLanguage, revision.number)} ·{" "}
            <Who organization={at.organization} id={revision.createdBy} /> · <When at={revision.createdAt} />
          </small>
          {space.revision === revision.id && <span class="status open">{words.revisionNow}</span>}
        </summary>
        {isOpen && (
          <Shown of={changes}>
            {({ changes: list, more }) => (
              <>
                {list.length === 0 && <p class="empty">{words.noChanges}</p>}
                {list.filter(isMeant).map((it, index) => (
                  <OneChange
                    key={JSON.stringify(it)}
                    at={at}
                    base={revision.parents[0]}
                    revision={revision.id}
                    change={it}
                    isFirst={index === 0}
                  >
                    {"page" in it && it.type !== "page_deleted" && later.length > 0 && space.permissions.edit && (
                      <PageBack at={at} space={space} revision={revision.id} page={it.page.id} path={it.page.path} />
                    )}
                  </OneChange>
                ))}
                {more && <p>{words.moreChanges}</p>}
              </>
            )}
          </Shown>
        )}
        {isOpen && !isOfPage && later.length > 0 && space.permissions.edit && (
          <SpaceBack at={at} revision={revision.id} later={later} />
        )}
      </details>
    </li>
  );
}

function wordsFor({ type }: RevisionSummary, words: Words): string {
  if (type === "merge") return words.revisionMerge;
  return type === "edits" ? words.revisionEdits : words.revisionUpdate;
}

/** The name behind the id of a user. */
function Who({ organization, id }: { readonly organization: string; readonly id: string }) {
  const words = useWords();
  const member = useRead("getMember", { params: { organizationId: organization, userId: id } });
  return <bdi>{member.state === "had" ? member.value.user.displayName : words.formerMember}</bdi>;
}

/** Brings a page back: at once where the space lets it, else in a change request. */
function PageBack({
  at,
  space,
  revision,
  page,
  path,
}: {
  readonly at: At;
  readonly space: Space;
  readonly revision: string;
  readonly page: string;
  readonly path: string;
}) {
  const words = useWords();
  const { route } = useLocation();
  const act = async () => {
    const place = space.editMode === "live" ? { ...at } : await newRequest(at);
    await change(place, [{ operation: "revert_page", page, revision }]);
    if (place.changeRequest !== undefined)
      route(addresses.changeRequest(at.organization, at.space, place.changeRequest));
    else route(addresses.page(at.organization, at.space, undefined, path));
  };
  return (
    <p>
      <Confirm kind="second" label={words.backToThis} question={words.pageBackWhy} act={act} />
    </p>
  );
}

async function newRequest({ organization, space }: At): Promise<Place> {
  const { number } = await write("createChangeRequest", { params: { spaceId: space }, body: {} });
  return { organization, space, changeRequest: String(number) };
}

/** Undoes everything that came after a revision, in a change request. */
function SpaceBack({
  at,
  revision,
  later,
}: {
  readonly at: At;
  readonly revision: string;
  readonly later: readonly RevisionSummary[];
}) {
  const words = useWords();
  const { route } = useLocation();
  const [isNothing, setNothing] = useState(false);
  const undo = useAction(async () => {
    const plan = await planFor(at.space, revision, later);
    setNothing(plan.length === 0);
    if (plan.length === 0) return;
    const place = await newRequest(at);
    await change(place, plan);
    route(addresses.changeRequest(at.organization, at.space, place.changeRequest!));
  });
  return (
    <div class="notice">
      <p>{isNothing ? words.spaceBackNothing : words.spaceBackWhy}</p>
      <Button isBusy={undo.isBusy} onClick={() => void undo.run()}>
        {words.spaceBack}
      </Button>
      <Problem error={undo.error} />
    </div>
  );
}

async function planFor(spaceId: string, revision: string, later: readonly RevisionSummary[]) {
  const [then, now] = await Promise.all([readPagesOf(spaceId, revision), readPagesOf(spaceId, later[0]!.id)]);
  const answers = await Promise.all(
    later.map(({ id }) => call("listRevisionChanges", { params: { spaceId, revisionId: id } })),
  );
  const changes = answers.flatMap((it) => {
    if (!it.ok) throw it.error;
    return it.value.changes;
  });
  const texts = new Map<string, string>();
  for (const pageId of deletedSince({ before: then.pages, now: now.pages })) {
    const page = await call("getRevisionPage", { params: { spaceId, revisionId: revision, pageId } });
    if (!page.ok) throw page.error;
    texts.set(pageId, page.value.markdown ?? "");
  }
  return undoing({ revision, before: then.pages, now: now.pages, changes, texts, variables: then.variables });
}
