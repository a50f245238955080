// Installations on spaces and sites, each with its own configuration: what both have in common. Whoever may manage the
// space or site may install on it. `on-spaces.ts` and `on-sites.ts` have the operations.

import { createError, createValidationError } from "../../../errors";
import type { JobType } from "../../../jobs/jobs";
import type { OutgoingEvent } from "../../../jobs/outbox";
import type { PageOfItems, PageRequest } from "../../../operation/pagination";
import { iterateRows, paginateFiltered, type ReadRows } from "../../../operation/pagination";
import type { TargetContext } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import type { Row } from "../../../storage/room";
import type { Transaction } from "../../../storage/transaction";
import { type InIntegration, integration } from "../definitions/rules";
import {
  installationLines,
  listPlaced,
  nameOf,
  type PlacedLine,
  type PlacedName,
  type PlacedRecord,
  type PlaceKind,
  placed,
  placedLines,
  setUpOn,
  takenOff,
} from "../records";
import { configured, isComplete } from "./configuration";
import { lookUp, membersOnly } from "./install-integration";
import { isOnEvery, onEvery } from "./on-every-place";
import { type InstallPlace, places } from "./places";
import type { InInstallation, InPlaced } from "./rules";
import type { PlacedChanges } from "./schema";
import { type PlacedView, placedView } from "./views";

interface Listed {
  readonly query: { readonly externalId?: string | undefined; readonly extended?: boolean | undefined };
  readonly pageRequest: PageRequest;
  readonly urls: Urls;
}

/** What an answer is made from; `place` is undefined where the caller does not see it. */
interface Found {
  readonly it: InInstallation;
  readonly on: PlacedRecord;
  readonly place: InstallPlace | undefined;
}

interface Writing {
  readonly tx: Transaction;
  readonly actor: TargetContext["actor"];
  readonly now: Date;
  readonly urls: Urls;
  readonly enqueueJob: (step: JobType<PlacedName>, name: PlacedName) => void;
  readonly emit: (event: OutgoingEvent) => void;
}

/** All spaces, or sites, with an integration, as far as the caller may see them. */
export function listPlacesOfIntegration<Kind extends PlaceKind>(
  kind: Kind,
  context: InIntegration & Listed & Pick<TargetContext, "tx" | "actor" | "peek">,
): Promise<PageOfItems<PlacedView[Kind]>> {
  const { tx, actor, peek } = context;
  const definition = context.integration.id;
  const isPublisher = integration.rights.inspect(context);
  const mayList = membersOnly(peek, actor.user.id, isPublisher);
  const follow = async (line: PlacedLine): Promise<Found | undefined> => {
    if (!(await mayList(line.organization))) return undefined;
    const found = await lookUp(line, { actor, peek });
    const on = found && (await placed.get(found.view, line.installation, kind, line.place));
    const place = on && (await places[kind].find({ tx: found.view, actor }, found.found, line.place));
    return on && (isPublisher || place?.isSeen) ? { it: found.found, on, place } : undefined;
  };
  const everywhere = async function* (): AsyncGenerator<Row<Found | undefined>> {
    const lines = iterateRows((slice) =>
      installationLines.list(tx, "ofIntegration", { under: [definition], ...slice }),
    );
    for await (const { record, position } of lines) {
      const found = (await mayList(record.organization)) ? await lookUp(record, { actor, peek }) : undefined;
      if (found) yield* placesOfAll(kind, { ...found.found, tx: found.view, actor, seesAll: isPublisher }, position);
    }
  };
  return listed(kind, context, {
    walk: async (slice) => {
      const rows = await placedLines.list(tx, "ofIntegration", { under: [definition, kind], ...slice });
      return Promise.all(rows.map(async ({ record, position }) => ({ record: await follow(record), position })));
    },
    everywhere,
  });
}

/** The spaces, or sites, of an installation, as far as the caller may see them. */
export function listPlacesOfInstallation<Kind extends PlaceKind>(
  kind: Kind,
  context: InInstallation & Listed & Pick<TargetContext, "tx" | "actor">,
): Promise<PageOfItems<PlacedView[Kind]>> {
  const seesAll = context.isPublisher || context.isItself === true;
  const follow = async (on: PlacedRecord): Promise<Found | undefined> => {
    const place = await places[kind].find(context, context, on.place);
    return seesAll || place?.isSeen ? { it: context, on, place } : undefined;
  };
  return listed(kind, context, {
    walk: async (slice) => {
      const under = [context.installation.id, kind];
      const rows = await placed.list(context.tx, "ofInstallation", { under, ...slice });
      return Promise.all(rows.map(async ({ record, position }) => ({ record: await follow(record), position })));
    },
    everywhere: () => placesOfAll(kind, { ...context, seesAll }, ""),
  });
}

/** The spaces, or sites, of an installation that is on all of them, without those that it is also on by name. */
async function* placesOfAll(
  kind: PlaceKind,
  it: InInstallation & Pick<TargetContext, "tx" | "actor"> & { readonly seesAll: boolean },
  prefix: string,
): AsyncGenerator<Row<Found | undefined>> {
  if (!isOnEvery(it.installation, kind)) return;
  for await (const { record, position } of iterateRows((slice) => places[kind].list(it.tx, slice))) {
    const isNamed = (await placed.get(it.tx, it.installation.id, kind, record.id)) !== undefined;
    const place = isNamed ? undefined : await places[kind].find(it, it, record.id);
    if (!place || !(it.seesAll || place.isSeen)) continue;
    yield { record: { it, on: onEvery(kind, it, record.id), place }, position: `${LAST}${prefix}${position}` };
  }
}

/** Rows of installations on all spaces or sites come after those that name one: no key begins with this byte. */
const LAST = "\xff";

function listed<Kind extends PlaceKind>(
  kind: Kind,
  { pageRequest, query, urls }: Listed,
  {
    walk,
    everywhere,
  }: { readonly walk: ReadRows<Found | undefined>; readonly everywhere: () => AsyncIterable<Row<Found | undefined>> },
): Promise<PageOfItems<PlacedView[Kind]>> {
  const { externalId, extended } = query;
  const both: ReadRows<Found | undefined> = async (slice) => {
    if (slice.after?.startsWith(LAST)) return [];
    const rows = await walk(slice);
    if (rows.length < slice.limit) for await (const row of everywhere()) rows.push(row);
    return rows;
  };
  return paginateFiltered(
    pageRequest,
    both,
    (found) => found !== undefined && (externalId === undefined || found.on.externalIds.includes(externalId)),
    (shown) => Promise.all(shown.map((it) => placedView(kind, it!.it, it!.on, it!.place, { urls, extended }))),
  );
}

/** Installs on a space or a site. The id is resolved as the caller sees it. */
export async function installOn<Kind extends PlaceKind>(
  kind: Kind,
  id: string,
  context: InInstallation & Writing & { readonly body: PlacedChanges },
): Promise<PlacedView[Kind]> {
  const { tx, installation, integration, body, now, urls } = context;
  const { find, none, notFor } = places[kind];
  const place = await find(context, context, id);
  if (!place?.isSeen) throw createValidationError(`body.${kind in body ? kind : `${kind}Id`}`, none);
  if (!place.isManaged) throw createError("forbidden");
  if (integration.target !== "all" && integration.target !== kind) throw createError(notFor);
  const schema = integration.configurations[kind];
  const configuration = configured(schema, body.configuration ?? {}, "body.configuration");
  const on: PlacedRecord = {
    installation: installation.id,
    kind,
    place: id,
    status: isComplete(schema, configuration) ? "active" : "pending",
    configuration,
    externalIds: body.externalIds ?? [],
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  };
  if (await placed.get(tx, installation.id, kind, id)) throw createError("already_installed");
  await placed.put(tx, on);
  tell(context, on, setUpOn(on));
  return placedView(kind, context, on, place, { urls });
}

/** Configures an installation on a space or a site. */
export async function configureOn<Kind extends PlaceKind>(
  kind: Kind,
  context: InPlaced & Writing & { readonly body: PlacedChanges },
): Promise<PlacedView[Kind]> {
  const { tx, integration, body, now, urls, place } = context;
  const before = context.placed;
  if (Object.keys(body).length === 0) return placedView(kind, context, before, place, { urls });
  const schema = integration.configurations[kind];
  const configuration = body.configuration
    ? configured(schema, body.configuration, "body.configuration")
    : before.configuration;
  const changed: PlacedRecord = {
    ...before,
    configuration,
    externalIds: body.externalIds ?? before.externalIds,
    status: isComplete(schema, configuration) ? "active" : "pending",
    updatedAt: now.toISOString(),
  };
  await placed.put(tx, changed);
  tell(context, changed, setUpOn(changed, before));
  return placedView(kind, context, changed, place, { urls });
}

/** Takes an installation off a space or a site that it was put on by name. */
export async function uninstallFrom(context: InPlaced & Writing): Promise<void> {
  const { tx, placed: on } = context;
  if (!(await placed.get(tx, on.installation, on.kind, on.place)))
    throw createError(`${on.kind}_installation_not_found`);
  await placed.delete(tx, on.installation, on.kind, on.place);
  tell(context, on, takenOff(on));
}

/** The publisher sees where the integration is installed, and the installation gets an event. */
function tell(
  { installation, enqueueJob, emit }: InInstallation & Writing,
  on: PlacedRecord,
  event: OutgoingEvent,
): void {
  enqueueJob(listPlaced, { ...nameOf(installation), kind: on.kind, place: on.place });
  emit(event);
}
