// Templates by id, and the first content of a space that is made from one.

import { loadContentChanges } from "../../../content/lazy";
import type { MapRoot } from "../../../content/prolly-tree";
import type { BatchChange } from "../../../content/revision/changes";
import { createDraft } from "../../../content/revision/draft";
import type { Template, TemplatePage } from "../../../content/templates";
import { createValidationError } from "../../../errors";
import type { Ports } from "../../../ports/ports";
import { type Objects, type StagedSet, stageObjects } from "../../../storage/objects";
import type { Store } from "../../../storage/store";
import { runSteps } from "../../../utils/concurrency/event-loop";
import { loadLazily } from "../../../utils/lazy";
import type { TemplateChoice } from "../../library/spaces/content";
import { createNodeSource } from "../revisions/records";

/** The built-in templates and those of the host; one with the id of a built-in replaces it. */
export function templatesById(own: readonly Template[] = []): Ports["templates"] {
  for (const { id } of own) {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(id))
      throw new TypeError(`createDocsApi: "${id}" cannot be the id of a template.`);
  }
  return loadLazily(async () => {
    const { builtIn } = await import("./built-in");
    return new Map([...builtIn, ...own].map((template) => [template.id, template]));
  });
}

/** The template with an id; what is wrong with one that is not there is said of the member `path`. */
export async function templateOf({ templates }: Ports, id: string, path: string): Promise<Template> {
  const template = (await templates()).get(id);
  if (!template) throw createValidationError(path, "There is no such template");
  return template;
}

/** The changes that add the pages and variables of a template. Those of `params` replace its own. */
export function templateChanges({ pages, variables }: Template, params: TemplateChoice["params"] = {}): BatchChange[] {
  const changes: BatchChange[] = [];
  const add = (page: TemplatePage, into: string | null) => {
    const ref = `template-${changes.length}`;
    const { title, slug, emoji, icon, description, markdown } = page;
    if (markdown === undefined) changes.push({ operation: "insert_group", ref, title, slug, emoji, icon });
    else {
      const document = { markdown };
      changes.push({ operation: "insert_page", ref, into, title, slug, emoji, icon, description, document });
    }
    for (const below of page.pages ?? []) add(below, ref);
  };
  for (const page of pages) add(page, null);
  const all = { ...variables, ...params };
  if (Object.keys(all).length > 0) changes.push({ operation: "set_variables", variables: all });
  return changes;
}

/** The content of a new space: the pages of a template, or nothing. */
export async function contentFrom(
  context: {
    readonly ports: Ports;
    readonly store: Store;
    readonly partition: string;
    readonly objects: Objects;
    readonly now: Date;
    readonly newId: (kind: "page" | "file" | "reusableContent") => string;
  },
  wanted: TemplateChoice | undefined,
  path: string,
): Promise<{ readonly root: MapRoot; readonly staged: StagedSet }> {
  const { ports, store, partition, objects, now, newId } = context;
  const draft = createDraft(createNodeSource(objects), null, runSteps);
  const tools = {
    now: now.toISOString(),
    newId,
    readText: objects.text,
    findRevision: async () => undefined,
    runSteps,
  };
  if (wanted) {
    const changes = templateChanges(await templateOf(ports, wanted.id, path), wanted.params);
    const { applyChanges } = await loadContentChanges();
    await applyChanges(draft, changes, tools);
  }
  const { root, objects: created } = await draft.finish();
  return { root, staged: await stageObjects(store, partition, created) };
}
