// Writes a revision as the files of a repository. A file of the previous tree that says the same already stays as it is, byte for
// byte, and is not even read. So the cost follows what changed.

import { type RunSteps, runStepsAtOnce } from "../../utils/concurrency/steps";
import { formatYamlScalar } from "../page-source/yaml";
import type { RevisionView } from "../revision/view";
import type { SkippedItem } from "./book";
import { computeBlobOid } from "./hashes";
import { detectLayout } from "./layout";
import { joinPath } from "./paths";
import { PreviousTree, type WrittenFile, type WrittenItem } from "./previous-tree";
import { EMPTY_TREE, type FileTree, RepositoryFiles } from "./repository-files";
import { loadRevisionContents } from "./revision-contents";
import { readTableOfContents } from "./table-of-contents";
import { type StoredContents, writeBookFiles } from "./write-files";
import { writeTableOfContents } from "./write-table-of-contents";
import { getScalarValues, isValidVariable, parseYamlMap } from "./yaml-values";

export interface WriteBookOptions {
  /** The tree that is written over. Default: an empty one. */
  readonly previousTree?: FileTree | undefined;
  /** The folder of the repository that has the book. Default: the top. */
  readonly directory?: string | undefined;
  /**
   * The revision that the previous tree was written from. So files outside of `.gitbook` are deleted if they were deleted in
   * the revision since. Default: such files stay.
   */
  readonly previousView?: RevisionView | undefined;
  /** Default: without yielding. */
  readonly runSteps?: RunSteps | undefined;
}

/** The changes to the previous tree. Paths are those of the repository. */
export interface WrittenBook {
  readonly files: ReadonlyMap<string, WrittenFile>;
  readonly deletedPaths: readonly string[];
  /** For `recordWrittenBook`, once the tree is pushed. */
  readonly items: readonly WrittenItem[];
  /** Files of the previous tree that were skipped. */
  readonly skipped: readonly SkippedItem[];
}

/** Writes a revision as files. Throws `BookError` if the previous tree is too large. */
export async function writeBook(
  view: RevisionView,
  stored: StoredContents,
  options: WriteBookOptions = {},
): Promise<WrittenBook> {
  const { previousTree = EMPTY_TREE, directory = "", previousView, runSteps = runStepsAtOnce } = options;
  const files = await RepositoryFiles.load(previousTree, runSteps);
  const layout = await detectLayout(files, directory);
  const previous = new PreviousTree(files, layout, await readTableOfContents(files, layout, runSteps));
  const contents = await loadRevisionContents(view, runSteps);
  const contentsBefore = previousView && (await loadRevisionContents(previousView, runSteps));

  const places = await writeTableOfContents(previous, contents, runSteps);
  const items = await writeBookFiles(view, stored, previous, contents, places, runSteps);

  // The variables are a file that is written if they differ from those that the settings and the file itself state.
  const variablePaths = [layout.root, layout.directory].map((folder) => joinPath(folder, ".gitbook/vars.yaml"));
  const variablesPath = variablePaths.find((path) => files.has(path)) ?? variablePaths[0]!;
  const variablesFile = await files.readText(variablesPath);
  const fromFile = getScalarValues("text" in variablesFile ? parseYamlMap(variablesFile.text) : undefined);
  const stated = [...Object.entries(layout.variables), ...fromFile];
  const variablesBefore = new Map(stated.filter(([name, value]) => isValidVariable(name, value)));
  const variables = Object.entries(await view.getVariables());
  const isUnchanged =
    variables.length === variablesBefore.size &&
    variables.every(([name, value]) => variablesBefore.get(name) === value);
  if (!isUnchanged && variables.length === 0) previous.delete(variablesPath);
  else if (!isUnchanged) {
    const text = variables.map(([name, value]) => `${formatYamlScalar(name)}: ${formatYamlScalar(value)}\n`).join("");
    previous.put(variablesPath, { oid: computeBlobOid(text), text });
  }

  await previous.deleteOthers(items, contentsBefore);
  return { files: previous.writtenFiles, deletedPaths: previous.deletedPaths, items, skipped: files.listSkipped() };
}
