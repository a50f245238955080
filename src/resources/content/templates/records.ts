// Templates by id, and the first content of a space that is created from one.

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

/** Creates the function that loads the built-in templates and those of the host, which replace built-in ones by their id. */
export function createTemplateLoader(hostTemplates: readonly Template[] = []): Ports["templates"] {
  for (const { id } of hostTemplates) {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(id))
      throw new TypeError(`createDocsApi: "${id}" cannot be the id of a template.`);
  }
  return loadLazily(async () => {
    const { builtIn } = await import("./built-in");
    return new Map([...builtIn, ...hostTemplates].map((template) => [template.id, template]));
  });
}

/** Finds a template by its id. Throws a validation error for the field `path` if there is none. */
export async function findTemplate({ templates }: Ports, id: string, path: string): Promise<Template> {
  const template = (await templates()).get(id);
  if (!template) throw createValidationError(path, "Template not found");
  return template;
}

/** Creates the changes that add the pages and variables of a template. The variables of `params` replace its own. */
export function createTemplateChanges(
  { pages, variables }: Template,
  params: TemplateChoice["params"] = {},
): BatchChange[] {
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

/** Prepares the content of a new space: the pages of a template, or nothing. */
export async function prepareTemplateContent(
  context: {
    readonly ports: Ports;
    readonly store: Store;
    readonly partition: string;
    readonly objects: Objects;
    readonly now: Date;
    readonly newId: (kind: "page" | "file" | "reusableContent") => string;
  },
  choice: TemplateChoice | undefined,
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
  if (choice) {
    const changes = createTemplateChanges(await findTemplate(ports, choice.id, path), choice.params);
    const { applyChanges } = await loadContentChanges();
    await applyChanges(draft, changes, tools);
  }
  const { root, objects: created } = await draft.finish();
  return { root, staged: await stageObjects(store, partition, created) };
}
