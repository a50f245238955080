// What both sides have changed in their own ways. Each thing is settled by one of three answers: ours stays, theirs is taken,
// or both texts are put together by hand.

import { Suspense } from "preact/compat";
import { useEffect, useRef, useState } from "preact/hooks";
import lazy from "preact-iso/lazy";
import type { Conflict } from "../../../generated/resources";
import { omitUndefined } from "../../../utils/objects";
import { call } from "../calls/client";
import { useAction, write } from "../calls/writes";
import { partsOf } from "../editor/text";
import { Button } from "../parts/button";
import { Dialog } from "../parts/dialog";
import { Problem, Waiting } from "../parts/shown";
import { type Change, change, type Page, type Place, paramsOf, readPage } from "../space/place";
import { counted, useWords } from "../words/words";
import { conflictWords, memberWords } from "./change-words";

const SideBySide = lazy(() => import("../editor/side-by-side").then((it) => it.SideBySide));

/** The conflicts about one thing. */
interface About {
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
}: {
  readonly place: Place;
  readonly count: number;
  readonly isInView: boolean;
}) {
  const words = useWords();
  const [things, setThings] = useState<readonly About[]>();
  const params = { spaceId: place.space, changeRequestId: place.changeRequest! };
  const load = useAction(async () => {
    const outcome = await write("updateFromSpace", { params });
    setThings(byThing(outcome.conflicts ?? []));
  });
  useEffect(() => void load.run(), [count]);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isInView && things) heading.current?.focus();
  }, [isInView, things !== undefined]);
  return (
    <section>
      <h2 ref={heading} tabIndex={-1}>
        {counted(words, words.conflictsLeft, count)}
      </h2>
      <p>{words.conflictsWhy}</p>
      <Problem error={load.error} />
      {things ? (
        <ul class="rows">
          {things.map((thing) => (
            <li key={thing.key}>
              <OneThing place={place} thing={thing} />
            </li>
          ))}
        </ul>
      ) : (
        <Waiting />
      )}
    </section>
  );
}

/** Lists the conflicts that a merge has found, for a person who may not edit, so that they can tell others what to resolve. */
export function FoundConflicts({
  place,
  conflicts,
}: {
  readonly place: Place;
  readonly conflicts: readonly Conflict[];
}) {
  const words = useWords();
  const things = byThing(conflicts);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [conflicts]);
  return (
    <section>
      <h2 ref={heading} tabIndex={-1}>
        {counted(words, words.conflictsLeft, conflicts.length)}
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

function FoundConflict({ place, thing }: { readonly place: Place; readonly thing: About }) {
  const sides = useSides(place, thing);
  return (
    <div class="conflict">
      <Differences name={nameThing(thing, sides)} conflicts={thing.conflicts} />
    </div>
  );
}

function byThing(conflicts: readonly Conflict[]): readonly About[] {
  const things = new Map<string, About>();
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

/** A page on both sides; undefined where that side has deleted it. */
interface Sides {
  readonly ours: Page | undefined;
  readonly theirs: Page | undefined;
}

async function sidesOf(place: Place, page: string): Promise<Sides> {
  const orNone = (reading: Promise<Page>) =>
    reading.catch((error: { status?: number }) => {
      if (error.status === 404) return undefined;
      throw error;
    });
  const { changeRequest: _, ...space } = place;
  const [ours, theirs] = await Promise.all([orNone(readPage(place, page)), orNone(readPage(space, page))]);
  return { ours, theirs };
}

function useSides(place: Place, { page }: About): Sides | undefined {
  const [sides, setSides] = useState<Sides>();
  useEffect(() => {
    if (page !== undefined) void sidesOf(place, page).then(setSides, () => {});
  }, [page]);
  return sides;
}

function nameThing(thing: About, sides: Sides | undefined): string {
  return sides?.ours?.title ?? sides?.theirs?.title ?? thing.variable ?? thing.key;
}

/** Shows what both sides have, member by member. */
function Differences({ name, conflicts }: { readonly name: string; readonly conflicts: readonly Conflict[] }) {
  const words = useWords();
  return (
    <div>
      <strong>
        <bdi>{name}</bdi>
      </strong>
      <dl>
        {conflicts.map((it, at) => (
          <div key={`${it.kind} ${it.member ?? ""} ${at}`}>
            <dt>{it.member === undefined ? conflictWords(words)[it.kind] : memberWords(it.member, words)}</dt>
            <dd>
              <del>{said(it.theirs)}</del> <ins>{said(it.ours)}</ins>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function OneThing({ place, thing }: { readonly place: Place; readonly thing: About }) {
  const words = useWords();
  const sides = useSides(place, thing);
  const [isComparing, setComparing] = useState(false);
  const settle = useAction(async (side: "ours" | "theirs") => {
    const changes = await changesFor(place, thing, sides, side);
    await change(place, changes);
  });
  const settleText = useAction(async (markdown: string) => {
    await change(place, [{ operation: "update_page", page: thing.page!, document: { markdown } }]);
    setComparing(false);
  });
  const name = nameThing(thing, sides);
  const texts = textsOf(sides);
  return (
    <div class="conflict">
      <Differences name={name} conflicts={thing.conflicts} />
      <div class="buttons">
        <Button isBusy={settle.isBusy} onClick={() => void settle.run("ours")}>
          {words.keepOurs}
        </Button>
        <Button isBusy={settle.isBusy} onClick={() => void settle.run("theirs")}>
          {words.takeTheirs}
        </Button>
        {texts && <Button onClick={() => setComparing(true)}>{words.putTogether}</Button>}
      </div>
      <Problem error={settle.error ?? settleText.error} />
      {isComparing && texts && (
        <Dialog title={name} onClose={() => setComparing(false)} isWide>
          <p>{words.putTogetherWhy}</p>
          <Suspense fallback={<Waiting />}>
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

/** The texts of both sides, and the head of the page, which is apart where both have the same, as in the editor. */
interface Texts {
  readonly head: string;
  readonly ours: string;
  readonly theirs: string;
}

function textsOf(sides: Sides | undefined): Texts | undefined {
  const [ours, theirs] = [sides?.ours, sides?.theirs];
  if (ours?.markdown === undefined || theirs?.markdown === undefined) return undefined;
  const [mine, others] = [partsOf(ours.markdown, ours.title), partsOf(theirs.markdown, theirs.title)];
  return mine.head === others.head
    ? { head: mine.head, ours: mine.body, theirs: others.body }
    : { head: "", ours: ours.markdown, theirs: theirs.markdown };
}

/** A value of a conflict, in a few words. */
function said(value: unknown): string {
  if (value === undefined) return "—";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What settles a thing for one side: writing it, also with what is there already. */
async function changesFor(
  place: Place,
  { page, file, reusableContent, variable, conflicts }: About,
  sides: Sides | undefined,
  side: "ours" | "theirs",
): Promise<Change[]> {
  if (variable !== undefined) {
    const value = (conflicts[0]?.[side] ?? null) as string | number | boolean | null;
    return [{ operation: "set_variables", variables: { [variable]: value } }];
  }
  if (page !== undefined) {
    const wanted = sides?.[side];
    if (!wanted) return [{ operation: "delete_page", page }];
    if (side === "ours") return [{ operation: "update_page", page, title: wanted.title }];
    return [{ operation: "revert_page", page, revision: await revisionOfSpace(place) }];
  }
  if (reusableContent !== undefined) return reusableOf(place, reusableContent, side);
  if (file !== undefined)
    return [
      side === "ours" ? { operation: "keep_files", files: [file] } : { operation: "delete_files", files: [file] },
    ];
  return [];
}

async function revisionOfSpace(place: Place): Promise<string> {
  const result = await call("getSpace", { params: paramsOf(place) });
  if (!result.ok) throw result.error;
  return result.value.revision;
}

async function reusableOf(place: Place, reusableContentId: string, side: "ours" | "theirs"): Promise<Change[]> {
  const query = { format: "markdown" } as const;
  const result =
    side === "ours"
      ? await call("getChangeRequestReusableContent", {
          params: { spaceId: place.space, changeRequestId: place.changeRequest!, reusableContentId },
          query,
        })
      : await call("getReusableContent", { params: { ...paramsOf(place), reusableContentId }, query });
  if (!result.ok && result.status === 404)
    return [{ operation: "delete_reusable_content", reusableContent: reusableContentId }];
  if (!result.ok) throw result.error;
  const { title, markdown = "" } = result.value;
  return [{ operation: "update_reusable_content", reusableContent: reusableContentId, title, document: { markdown } }];
}
