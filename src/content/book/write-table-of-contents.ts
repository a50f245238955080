// Assigns paths to everything in a revision, and writes the table of contents if it says something else than before.

import { type RunSteps, type Steps, yieldOnce } from "../../utils/concurrency/steps";
import { omitUndefined } from "../../utils/objects";
import { addNumberToPath } from "../free-number";
import { parsePageSource } from "../page-source";
import { getDefaultTitle } from "../revision/computed";
import { getRefHref } from "../revision/document-input";
import type { PageEntry } from "../revision/entries";
import { buildPageTree, listPagesInOrder, type PageTree } from "../revision/page-tree";
import type { WithId } from "../revision/view";
import { createSlug } from "../slugs";
import { assignPathsInSteps } from "./assign-paths";
import { type Chapter, removePages, walkPages } from "./book";
import { inferChaptersInSteps } from "./folder-chapters";
import { computeBlobOid, hashText } from "./hashes";
import { BROKEN_HREF, getRefId, getUnstatedFields } from "./page-text";
import { encodeLinkPath, getBaseName, joinPath } from "./paths";
import type { PreviousTree } from "./previous-tree";
import type { RevisionContents } from "./revision-contents";
import { hasSameChapters, SummaryWriter } from "./write-summary";

/** The places of the parts of a revision in the tree that is written. */
export interface BookPlaces {
  /** The paths of documents, files and reusable contents, by id. */
  readonly paths: ReadonlyMap<string, string>;
  /** Something cannot be where it was, so links to it have to be written again. */
  readonly hasMovedParts: boolean;
  /** Returns whether a page is listed in the table of contents and has no file. */
  readonly isDraft: (page: WithId<PageEntry>) => boolean;
  /** There is a table of contents. It states titles that texts do not state. */
  readonly hasSummary: boolean;
}

const EMPTY_TEXT_HASH = hashText("");

/** Assigns paths to everything in a revision, and writes the table of contents. */
export async function writeTableOfContents(
  previous: PreviousTree,
  contents: RevisionContents,
  runSteps: RunSteps,
): Promise<BookPlaces> {
  const { tree, pagePaths, ...places } = await assignBookPaths(previous, contents, runSteps);
  const { layout } = previous;
  const { summary, otherLanguages, chapters: previousChapters } = previous.contents;

  // Pages that an import could not read are not missing in the revision.
  const unreadablePaths = new Set<string>();
  const presentPaths = new Set(pagePaths.values());
  for (const [path, { isDraft }] of previous.pages) {
    if (isDraft || presentPaths.has(path)) continue;
    if (!(await previous.isReadable(path))) unreadablePaths.add(path);
    await runSteps(yieldOnce());
  }
  await runSteps(yieldOnce());

  const titles = new Map<string, string>();
  for (const page of contents.pages) {
    if (page.type !== "document") continue;
    // A page is listed with its own title, unless the table of contents already had another one.
    const path = pagePaths.get(page.id) ?? "";
    const listedTitle = previous.pages.get(path)?.title;
    let { title } = page;
    if (listedTitle !== undefined && listedTitle !== title && page.stated?.includes("title")) {
      // If the text is the same, the difference was there before.
      const oid = previous.getOid(path);
      if (oid !== undefined && contents.findOid(page.id, page.body) === oid) title = listedTitle;
      else {
        const file = await previous.files.readText(previous.getFullPath(path));
        const titleBefore = "text" in file ? parsePageSource(file.text).title : undefined;
        if (titleBefore !== undefined && titleBefore !== listedTitle) title = listedTitle;
      }
    }
    titles.set(page.id, title);
    await runSteps(yieldOnce());
  }
  let chapters: readonly Chapter[] = await runSteps(
    buildChaptersInSteps(tree, {
      getPath: (id) => places.paths.get(id),
      getTitle: (id) => titles.get(id)!,
      isDraft: places.isDraft,
      getGroupSlug: (title) => previous.getGroupSlug(title),
    }),
  );

  const put = async (path: string, steps: Steps<string>) => {
    const text = await runSteps(steps);
    previous.put(previous.getFullPath(path), { oid: computeBlobOid(text), text });
  };
  for (const language of otherLanguages) {
    const isGroup = (chapter: Chapter) =>
      chapter.kind === "group" && (chapter.slug === language.slug || chapter.title === language.title);
    const group = chapters.find(isGroup);
    const inside = group && "chapters" in group ? group.chapters : [];
    chapters = chapters.filter((chapter) => chapter !== group);
    if (hasSameChapters(removePages(language.group.chapters, unreadablePaths), inside, true)) continue;
    const path = joinPath(language.folder, layout.summary);
    await put(path, new SummaryWriter({ ...layout, summary: path }, language).writeInSteps(inside));
  }

  const languageGroups = new Set<Chapter>(otherLanguages.map(({ group }) => group));
  const chaptersBefore = previousChapters.filter((chapter) => !languageGroups.has(chapter));
  if (summary === undefined && chaptersBefore.length > 0) {
    // If the folders of the tree that is written say the same, there still needs to be no table of contents.
    const byPath = new Map(previous.files.byPath);
    for (const path of previous.pages.keys()) if (!unreadablePaths.has(path)) byPath.delete(previous.getFullPath(path));
    const writtenPaths = new Set<string>();
    for (const { path, isDraft } of walkPages(chapters)) if (!isDraft) writtenPaths.add(previous.getFullPath(path));
    for (const path of writtenPaths) byPath.set(path, { path });
    const inferred = removePages(await runSteps(inferChaptersInSteps({ byPath }, previous.layout)), unreadablePaths);
    if (hasSameChapters(inferred, chapters, false)) return { ...places, hasSummary: false };
  }
  if (summary === undefined || !hasSameChapters(removePages(chaptersBefore, unreadablePaths), chapters, true))
    await put(layout.summary, new SummaryWriter(layout, previous.contents).writeInSteps(chapters));
  return { ...places, hasSummary: true };
}

/** Assigns a path to every page, file and reusable content. */
async function assignBookPaths(previous: PreviousTree, contents: RevisionContents, runSteps: RunSteps) {
  // The layout may have changed, so that a part is outside of the repository as seen from the root. It is moved inside.
  const isOutside = (path: string | undefined) =>
    path?.startsWith("..") === true && previous.getFullPath(path).startsWith("..");

  const parts = [
    ...contents.files.map(({ id, path }) => ({ id, path, folder: ".gitbook/assets" })),
    ...contents.reusables.map(({ id, path }) => ({ id, path, folder: ".gitbook/includes" })),
  ];
  const usedPaths = new Set(parts.map(({ path }) => path));
  const partPaths = new Map<string, string>();
  for (const { id, path, folder } of parts) {
    let newPath = path;
    if (isOutside(path)) {
      const preferredPath = `${folder}/${getBaseName(path)}`;
      let number = 0;
      while (usedPaths.has(addNumberToPath(preferredPath, number))) number++;
      newPath = addNumberToPath(preferredPath, number);
      usedPaths.add(newPath);
    }
    partPaths.set(id, newPath);
  }
  const takenPaths = new Set(partPaths.values());

  const pages = contents.pages.map((page) => {
    if (!isOutside(page.git?.path)) return page;
    const { git: _, ...pageWithoutFile } = page;
    return pageWithoutFile;
  });
  await runSteps(yieldOnce());
  const tree: PageTree = buildPageTree(pages);
  await runSteps(yieldOnce());
  const { otherLanguages } = previous.contents;
  const pagePaths = await runSteps(
    assignPathsInSteps(
      tree,
      (path) => takenPaths.has(path) || previous.isTaken(path),
      ({ slug, title }) => otherLanguages.find((it) => it.slug === slug || it.title === title)?.folder,
    ),
  );
  await runSteps(yieldOnce());

  const hasMovedParts =
    pages.some((page, i) => page !== contents.pages[i]) || parts.some(({ id, path }) => partPaths.get(id) !== path);
  const isDraft = (page: WithId<PageEntry>) =>
    previous.pages.get(pagePaths.get(page.id) ?? "")?.isDraft === true &&
    page.body === EMPTY_TEXT_HASH &&
    Object.keys(getUnstatedFields(page)).length === 0;
  return { tree, pagePaths, paths: new Map([...partPaths, ...pagePaths]), hasMovedParts, isDraft };
}

/** The knowledge about pages that their chapters need. */
interface PageInfo {
  /** Returns the path of a page or a file. */
  readonly getPath: (id: string) => string | undefined;
  readonly getTitle: (id: string) => string;
  /** Returns whether a document has no file. */
  readonly isDraft: (page: WithId<PageEntry>) => boolean;
  /** Returns the slug that the current table of contents states for a group with a title. */
  readonly getGroupSlug: (title: string) => string | undefined;
}

function* buildChaptersInSteps(tree: PageTree, info: PageInfo): Steps<Chapter[]> {
  const top: Chapter[] = [];
  /** The chapters below each page. */
  const chaptersByParent = new Map<string | null, Chapter[]>([[null, top]]);
  for (const { page } of listPagesInOrder(tree)) {
    yield;
    const { id, title, slug, parent } = page;
    const siblings = chaptersByParent.get(parent);
    // Nothing is listed below a link or a computed page.
    if (!siblings) continue;
    if (page.type === "computed") {
      // The title is written if the definition does not give it.
      const { computed: yaml = "" } = page;
      const stated = omitUndefined({ title: title === getDefaultTitle(yaml) ? undefined : title });
      siblings.push({ kind: "computed", ...stated, yaml });
    } else if (page.type === "link") {
      const { target } = page;
      const targetId = target && getRefId(target);
      const path = targetId === undefined ? undefined : info.getPath(targetId);
      let href: string = BROKEN_HREF;
      if (target && targetId === undefined) href = getRefHref(target);
      else if (target && path !== undefined) {
        // A `#` distinguishes a link to a page from the page itself.
        const hash = target.kind === "file" ? "" : `#${target.kind === "anchor" ? target.anchor : ""}`;
        href = encodeLinkPath(path) + hash;
      }
      siblings.push({ kind: "link", title, href });
    } else {
      const chapters: Chapter[] = [];
      chaptersByParent.set(id, chapters);
      if (page.type === "document") {
        const draft = omitUndefined({ isDraft: info.isDraft(page) ? (true as const) : undefined });
        siblings.push({ kind: "page", path: info.getPath(id)!, title: info.getTitle(id), ...draft, chapters });
        continue;
      }
      // The slug is written if the title does not give it. A number at its end came from its siblings.
      const statedSlug = info.getGroupSlug(title);
      const expectedSlug = statedSlug ?? createSlug(title);
      const isExpected = slug === expectedSlug || slug.replace(/-\d+$/, "") === expectedSlug;
      const stated = omitUndefined({ slug: isExpected ? statedSlug : slug });
      siblings.push({ kind: "group", title, ...stated, chapters });
    }
  }
  return top;
}
