// The conflicts of a change request. Each is resolved in one of three ways: keep ours, take theirs, or combine both texts by
// hand.

import { Suspense } from "preact/compat";
import { useEffect, useRef, useState } from "preact/hooks";
import lazy from "preact-iso/lazy";
import type { Conflict } from "../../../generated/resources";
import { formatPlural } from "../../../locales/format-message";
import { omitUndefined } from "../../../utils/objects";
import { call } from "../api/client";
import { runMutation, useAction } from "../api/mutations";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { ActionError, LoadingIndicator } from "../components/loaded";
import { splitTitle } from "../editor/split-title";
import { useMessages } from "../messages/messages";
import {
  applyChanges,
  type ContentEdit,
  type ContentPlace,
  type Page,
  readCurrentPage,
  readRevision,
} from "../space/content-place";
import { getConflictLabels, getFieldLabel } from "./field-labels";

const SideBySide = lazy(() => import("../editor/side-by-side").then((it) => it.SideBySide));

/** The conflicts of one page, file, reusable content or variable. */
interface ConflictGroup {
  readonly key: string;
  readonly page?: string;
  readonly file?: string;
  readonly reusableContent?: string;
  readonly variable?: string;
  readonly conflicts: readonly Conflict[];
}

/**
 * Lists the `count` open conflicts. They come from an update, which changes nothing where nothing is new. `isInView` scrolls to
 * the list and moves the focus to its heading.
 */
export function Conflicts({
  place,
  count,
  isInView,
  onResolve,
}: {
  readonly place: ContentPlace;
  readonly count: number;
  readonly isInView: boolean;
  /** Called when the user has resolved a conflict. */
  readonly onResolve: () => void;
}) {
  const messages = useMessages();
  const [things, setThings] = useState<readonly ConflictGroup[]>();
  const params = { spaceId: place.space, changeRequestId: place.changeRequest! };
  const load = useAction(async () => {
    const outcome = await runMutation("updateFromSpace", { params });
    setThings(groupConflicts(outcome.conflicts ?? []));
  });
  useEffect(() => void load.run(), [count]);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isInView && things) heading.current?.focus();
  }, [isInView, things !== undefined]);
  return (
    <section>
      <h2 ref={heading} tabIndex={-1}>
        {formatPlural(messages.inLanguage, messages.changeRequests.conflictsLeft, count)}
      </h2>
      <p>{messages.changeRequests.conflictsWhy}</p>
      <ActionError error={load.error} />
      {things ? (
        <ul class="rows">
          {things.map((thing) => (
            <li key={thing.key}>
              <ConflictResolution place={place} thing={thing} onResolve={onResolve} />
            </li>
          ))}
        </ul>
      ) : (
        <LoadingIndicator />
      )}
    </section>
  );
}

/** Lists the conflicts that a merge has found, for a person who may not edit, so that they can tell others what to resolve. */
export function FoundConflicts({
  place,
  conflicts,
}: {
  readonly place: ContentPlace;
  readonly conflicts: readonly Conflict[];
}) {
  const messages = useMessages();
  const things = groupConflicts(conflicts);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [conflicts]);
  return (
    <section>
      <h2 ref={heading} tabIndex={-1}>
        {formatPlural(messages.inLanguage, messages.changeRequests.conflictsLeft, conflicts.length)}
      </h2>
      <ul class="rows">
        {things.map((thing) => (
          <li key={thing.key}>
            <FoundConflict place={place} thing={thing} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function FoundConflict({ place, thing }: { readonly place: ContentPlace; readonly thing: ConflictGroup }) {
  const sides = useSides(place, thing);
  return (
    <div class="conflict">
      <Differences
        name={sides?.ours?.title ?? sides?.theirs?.title ?? thing.variable ?? thing.key}
        conflicts={thing.conflicts}
      />
    </div>
  );
}

function groupConflicts(conflicts: readonly Conflict[]): readonly ConflictGroup[] {
  const things = new Map<string, ConflictGroup>();
  for (const conflict of conflicts) {
    const { page, file, reusableContent, variable } = conflict;
    const key = page ?? file ?? reusableContent ?? variable ?? "";
    const known = things.get(key)?.conflicts ?? [];
    things.set(key, {
      key,
      ...omitUndefined({ page, file, reusableContent, variable }),
      conflicts: [...known, conflict],
    });
  }
  return [...things.values()];
}

/** A page on both sides. Undefined if that side deleted it. */
interface ConflictSides {
  readonly ours: Page | undefined;
  readonly theirs: Page | undefined;
}

function useSides(place: ContentPlace, { page }: ConflictGroup): ConflictSides | undefined {
  const [sides, setSides] = useState<ConflictSides>();
  useEffect(() => {
    if (page === undefined) return;
    const readIfExists = (from: ContentPlace) =>
      readCurrentPage(from, page).catch((error: { status?: number }) => {
        if (error.status === 404) return undefined;
        throw error;
      });
    void Promise.all([
      readIfExists(place),
      readIfExists({ organization: place.organization, space: place.space }),
    ]).then(
      ([ours, theirs]) => setSides({ ours, theirs }),
      () => {},
    );
  }, [page]);
  return sides;
}

/** Shows the values of both sides, field by field. */
function Differences({ name, conflicts }: { readonly name: string; readonly conflicts: readonly Conflict[] }) {
  const messages = useMessages();
  return (
    <div>
      <strong>
        <bdi>{name}</bdi>
      </strong>
      <dl>
        {conflicts.map((it, at) => (
          <div key={`${it.kind} ${it.member ?? ""} ${at}`}>
            <dt>
              {it.member === undefined ? getConflictLabels(messages)[it.kind] : getFieldLabel(it.member, messages)}
            </dt>
            <dd>
              <span>
                <small class="conflict-side">{messages.changeRequests.versionOfSpace}</small>
                <del>{formatConflictValue(it.theirs)}</del>
              </span>
              <span>
                <small class="conflict-side">{messages.changeRequests.versionHere}</small>
                <ins>{formatConflictValue(it.ours)}</ins>
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function ConflictResolution({
  place,
  thing,
  onResolve,
}: {
  readonly place: ContentPlace;
  readonly thing: ConflictGroup;
  readonly onResolve: () => void;
}) {
  const messages = useMessages();
  const sides = useSides(place, thing);
  const [isComparing, setComparing] = useState(false);
  const settle = useAction(async (side: "ours" | "theirs") => {
    const changes = await buildResolution(place, thing, sides, side);
    await applyChanges(place, changes);
    onResolve();
  });
  const settleText = useAction(async (markdown: string) => {
    await applyChanges(place, [{ operation: "update_page", page: thing.page!, document: { markdown } }]);
    onResolve();
    setComparing(false);
  });
  const name = sides?.ours?.title ?? sides?.theirs?.title ?? thing.variable ?? thing.key;
  // The head of the page is separate if both sides share it, as in the editor.
  const [ours, theirs] = [sides?.ours, sides?.theirs];
  let texts: { readonly head: string; readonly ours: string; readonly theirs: string } | undefined;
  if (ours?.markdown !== undefined && theirs?.markdown !== undefined) {
    const [mine, others] = [splitTitle(ours.markdown, ours.title), splitTitle(theirs.markdown, theirs.title)];
    texts =
      mine.head === others.head
        ? { head: mine.head, ours: mine.body, theirs: others.body }
        : { head: "", ours: ours.markdown, theirs: theirs.markdown };
  }
  return (
    <div class="conflict">
      <Differences name={name} conflicts={thing.conflicts} />
      <div class="buttons">
        <Button isBusy={settle.isBusy} onClick={() => void settle.run("ours")}>
          {messages.changeRequests.keepOurs}
        </Button>
        <Button isBusy={settle.isBusy} onClick={() => void settle.run("theirs")}>
          {messages.changeRequests.takeTheirs}
        </Button>
        {texts && <Button onClick={() => setComparing(true)}>{messages.changeRequests.putTogether}</Button>}
      </div>
      <ActionError error={settle.error ?? settleText.error} />
      {isComparing && texts && (
        <Dialog title={name} onClose={() => setComparing(false)} isWide>
          <p>{messages.changeRequests.putTogetherWhy}</p>
          <Suspense fallback={<LoadingIndicator />}>
            <SideBySide
              theirs={texts.theirs}
              ours={texts.ours}
              onDone={(text) => void settleText.run(texts.head + text)}
            />
          </Suspense>
        </Dialog>
      )}
    </div>
  );
}

/** Formats a value of a conflict. */
function formatConflictValue(value: unknown): string {
  if (value === undefined) return "—";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Builds the changes that resolve the conflicts in favor of one side. Writing a value resolves them even if it is unchanged. */
async function buildResolution(
  place: ContentPlace,
  { page, file, reusableContent, variable, conflicts }: ConflictGroup,
  sides: ConflictSides | undefined,
  side: "ours" | "theirs",
): Promise<ContentEdit[]> {
  if (variable !== undefined) {
    const value = (conflicts[0]?.[side] ?? null) as string | number | boolean | null;
    return [{ operation: "set_variables", variables: { [variable]: value } }];
  }
  if (page !== undefined) {
    const chosenPage = sides?.[side];
    if (!chosenPage) return [{ operation: "delete_page", page }];
    if (side === "ours") return [{ operation: "update_page", page, title: chosenPage.title }];
    return [
      {
        operation: "revert_page",
        page,
        revision: await readRevision({ organization: place.organization, space: place.space }),
      },
    ];
  }
  if (reusableContent !== undefined) {
    const query = { format: "markdown" } as const;
    const result =
      side === "ours"
        ? await call("getChangeRequestReusableContent", {
            params: { spaceId: place.space, changeRequestId: place.changeRequest!, reusableContentId: reusableContent },
            query,
          })
        : await call("getReusableContent", {
            params: { spaceId: place.space, reusableContentId: reusableContent },
            query,
          });
    if (!result.ok && result.status === 404) return [{ operation: "delete_reusable_content", reusableContent }];
    if (!result.ok) throw result.error;
    const { title, markdown = "" } = result.value;
    return [{ operation: "update_reusable_content", reusableContent, title, document: { markdown } }];
  }
  if (file !== undefined)
    return [
      side === "ours" ? { operation: "keep_files", files: [file] } : { operation: "delete_files", files: [file] },
    ];
  return [];
}
