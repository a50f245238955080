// From a space into a branch, in one commit on top of what is there. What is new in the repository is imported first. The
// first time, and with `force`, there is nothing to merge with: the space wins, and what was there stays in the history.
//
// Before a push it is written down what the repository will hold; so a push that went through unheard is recognized.

import { keepWritten, type Written, type WrittenFile, writeBook } from "../../../content/book";
import { createDraft, type Finished, storedView } from "../../../content/revision/draft";
import type { GitChange, GitPushed } from "../../../git/port";
import { GitRefused } from "../../../git/refused";
import { Outdated, untilUpToDate } from "../../../operation/outdated";
import { DIRECTORY } from "../../../store/ids";
import { renewed } from "../../../work/leased-queue";
import { usersById } from "../../people/users/records";
import { nodesOf, viewIn } from "../revisions/records";
import { hasArrived, importFrom, pointOf } from "./import";
import { isSameFolder, type Pushing } from "./records";
import { gitPlaceOf, pack, type Remote, withRemote } from "./remote";
import { gitOf, look, type Moment, type Run, save, toolsOf } from "./run";

/** Exports a space. Throws `Outdated` when it has to be begun again. */
export async function exportTo(run: Run, moment: Moment): Promise<void> {
  try {
    return await withRemote(run, moment, (remote) => exportOnto(run, moment, remote));
  } catch (error) {
    if (!(error instanceof GitRefused) || error.reason !== "ref_not_found") throw error;
  }
  // The first commit of the branch.
  return exportOnto(run, moment, undefined);
}

async function exportOnto(run: Run, moment: Moment, remote: Remote | undefined): Promise<void> {
  if (remote && isImportedFirst(run, moment, remote)) {
    await importFrom(run, moment, remote, false);
    throw new Outdated();
  }
  const { objects, revision, agreed } = moment;
  const written = await writeBook(viewIn(objects, revision), objects, {
    previous: remote?.tree,
    directory: run.request.directory,
    before: agreed && storedView(nodesOf(objects), agreed.root),
  });
  const kept = await keeping(run, moment, written);
  const pushed = await bringThere(run, moment, remote, written, kept);
  if (pushed) await settle(run, remote, written, kept, pushed);
  else await save(run, moment, { objects: new Map(), change: () => ({}), done: {} });
}

function isImportedFirst({ request }: Run, { agreed, sync: { pushing } }: Moment, remote: Remote): boolean {
  if (request.force || agreed?.commit === remote.content.commit.oid) return false;
  return (
    agreed !== undefined || (pushing !== undefined && isSameFolder(pushing, request) && hasArrived(pushing, remote))
  );
}

/** What a revision is when it remembers where its parts stand in the repository. */
async function keeping(run: Run, moment: Moment, written: Written): Promise<Finished> {
  const draft = createDraft(nodesOf(moment.objects), moment.revision.root);
  await keepWritten(draft, written, toolsOf(run, moment));
  return draft.finish();
}

/** The commit that the branch holds with everything in it; undefined when there is neither a branch nor anything to write. */
async function bringThere(
  run: Run,
  moment: Moment,
  remote: Remote | undefined,
  written: Written,
  kept: Finished,
): Promise<{ readonly oid: string; readonly state: Uint8Array; readonly isNew: boolean } | undefined> {
  const tip = remote && { oid: remote.content.commit.oid, state: remote.content.state, isNew: false };
  const changes = changesOf(written);
  if (changes.length === 0) return tip;
  await announce(run, moment, written, kept);
  const result = await push(run, remote, changes);
  return "oid" in result ? { ...result, isNew: true } : tip;
}

function changesOf({ files, deleted }: Written): GitChange[] {
  return [
    ...Array.from(files, ([path, file]) => ({ path, bytes: bytesOf(file) })),
    ...deleted.map((path) => ({ path, bytes: null })),
  ];
}

function bytesOf(file: WrittenFile): Uint8Array {
  return "bytes" in file ? file.bytes : new TextEncoder().encode(file.text);
}

/** The most signs by which a push is recognized. */
const MAX_SIGNS = 50;

/** Writes down what the repository will hold. */
async function announce(run: Run, moment: Moment, { files }: Written, kept: Finished): Promise<void> {
  const { work, request } = run;
  const { url, ref, directory } = request;
  const signs = [...files].slice(0, MAX_SIGNS).map(([path, { oid }]) => [path, oid] as const);
  const pushing: Pushing = { url, ref, directory, root: kept.root, signs };
  const runner = renewed(run, 2 * work.parts.git.milliseconds);
  await save(run, moment, { objects: kept.objects, change: () => ({ pushing, runner }) });
}

async function push(run: Run, remote: Remote | undefined, changes: readonly GitChange[]): Promise<GitPushed> {
  const { request, work } = run;
  const client = await work.parts.git.client();
  const user = (await usersById(await work.store.read(DIRECTORY), [request.by])).get(request.by);
  try {
    return await client.pushRemote({
      ...gitPlaceOf(run),
      parent: remote?.content.commit.oid,
      known: remote?.content.state,
      changes,
      message: request.message ?? "",
      // Whoever reads the repository need not learn anybody's address.
      author: { name: user?.displayName || "Octavo", email: `${request.by}@users.octavo.invalid` },
      at: new Date(request.requestedAt),
    });
  } catch (error) {
    if (error instanceof GitRefused && error.reason === "diverged") throw new Outdated();
    throw error;
  }
}

/** How often it is tried to save what was pushed, while others write. */
const ATTEMPTS = 20;

/** Remembers what was pushed, in the space as it is by now. */
async function settle(
  run: Run,
  remote: Remote | undefined,
  written: Written,
  kept: Finished,
  { oid, state, isNew }: { readonly oid: string; readonly state: Uint8Array; readonly isNew: boolean },
): Promise<void> {
  const standings = new Set(written.stands.map((stand) => stand.oid));
  const files = new Map(remote?.asked);
  for (const file of written.files.values()) files.set(file.oid, bytesOf(file));
  const point = pointOf(run.request, oid, kept.root, state, pack(files, standings));
  const message = isNew ? (run.request.message ?? "") : (remote?.content.commit.message ?? "");
  const git = gitOf(run, { oid, message }, isNew);
  await untilUpToDate(run.work.store, ATTEMPTS, async () => {
    const moment = await look(run);
    const { root, objects } = await keeping(run, moment, written);
    await save(run, moment, {
      shown: { root, git },
      objects: new Map([...kept.objects, ...objects, ...point.objects]),
      change: () => ({ agreed: point.agreed, pushing: undefined, conflicts: undefined }),
      done: { commit: oid, skipped: written.skipped.length },
    });
  });
}
