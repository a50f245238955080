// A revision written as the files of a repository. What a file of the previous tree says already is left as it is, byte for
// byte, and is not even read; so the cost follows what changed.

import { type RunSteps, runStepsAtOnce } from "../markdown/steps";
import { formatYamlScalar } from "../page-source/yaml";
import type { RevisionView } from "../revision/view";
import type { Skipped } from "./book";
import { contentsOf } from "./chapters";
import { layoutIn } from "./config";
import { blobOid } from "./oid";
import { joined } from "./paths";
import { isVariable } from "./read";
import { holdingsOf } from "./standings";
import { emptyTree, Files, type FileTree } from "./tree";
import { writeContents } from "./write-contents";
import { type StoredContents, writeHoldings } from "./write-holdings";
import { Previous } from "./write-previous";
import type { Stand, WrittenFile } from "./written";
import { valuesIn, yamlMap } from "./yaml-values";

export type { StoredContents } from "./write-holdings";

export interface WriteOptions {
  /** The tree that is written over. Default: an empty one. */
  readonly previous?: FileTree | undefined;
  /** The folder of the repository that has the book. Default: the top. */
  readonly directory?: string | undefined;
  /** The revision that the previous tree is of, so that files outside of `.gitbook` that were deleted since are, too. */
  readonly before?: RevisionView | undefined;
  /** Default: others wait. */
  readonly inTurns?: RunSteps | undefined;
}

/** What has to be done to the previous tree. Paths are those of the repository. */
export interface Written {
  readonly files: ReadonlyMap<string, WrittenFile>;
  readonly deleted: readonly string[];
  /** For `keepWritten`, once the tree is where it belongs. */
  readonly stands: readonly Stand[];
  /** What of the previous tree was passed over. */
  readonly skipped: readonly Skipped[];
}

/** Writes a revision as files. Throws `BookRefused` when the previous tree is too large to be looked at. */
export async function writeBook(
  view: RevisionView,
  stored: StoredContents,
  options: WriteOptions = {},
): Promise<Written> {
  const { inTurns = runStepsAtOnce } = options;
  const files = await Files.of(options.previous ?? emptyTree, inTurns);
  const layout = await layoutIn(files, options.directory ?? "");
  const previous = new Previous(files, layout, await contentsOf(files, layout, inTurns));
  const holdings = await holdingsOf(view, inTurns);
  const before = options.before && (await holdingsOf(options.before, inTurns));
  const contents = await writeContents(previous, holdings, inTurns);
  const stands = await writeHoldings(view, stored, previous, holdings, contents, inTurns);
  await writeVariables(view, previous);
  await previous.dropAllBut(stands, before);
  return { files: previous.written, deleted: previous.deleted, stands, skipped: files.allSkipped() };
}

async function writeVariables(view: RevisionView, previous: Previous): Promise<void> {
  const { root, directory } = previous.layout;
  const places = [root, directory].map((it) => joined(it, ".gitbook/vars.yaml"));
  const path = places.find((it) => previous.files.has(it)) ?? places[0]!;
  const found = await previous.files.text(path);
  const said = valuesIn("text" in found ? yamlMap(found.text) : undefined);
  const stated = [...Object.entries(previous.layout.variables), ...said];
  const before = new Map(stated.filter(([name, value]) => isVariable(name, value)));
  const after = Object.entries(await view.getVariables());
  if (after.length === before.size && after.every(([name, value]) => before.get(name) === value)) return;
  if (after.length === 0) previous.delete(path);
  else {
    const text = after.map(([name, value]) => `${formatYamlScalar(name)}: ${formatYamlScalar(value)}\n`).join("");
    previous.put(path, { oid: blobOid(text), text });
  }
}
