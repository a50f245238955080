// Installations on spaces and sites, each with its own configuration: what both have in common. Whoever may manage the
// space or site may install on it. `on-spaces.ts` and `on-sites.ts` have the operations.

import { createError, createValidationError } from "../../../errors";
import type { JobType } from "../../../jobs/jobs";
import type { OutgoingEvent } from "../../../jobs/outbox";
import type { PageOfItems, PageRequest } from "../../../operation/pagination";
import { iterateRows, paginateFiltered, type ReadRows } from "../../../operation/pagination";
import type { TargetContext } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import type { Transaction } from "../../../storage/transaction";
import type { PositionedRecord } from "../../../storage/transaction-budget";
import { type IntegrationContext, integration } from "../definitions/rules";
import {
  createPlacementDeletedEvent,
  createPlacementSetupEvent,
  getInstallationKey,
  installationListings,
  type PlaceKind,
  type PlacementKey,
  type PlacementListing,
  type PlacementRecord,
  placementListings,
  placements,
  updatePlacementListing,
} from "../records";
import { createImplicitPlacement, isOnAllPlaces } from "./all-places";
import { isConfigurationComplete, resolveConfiguration } from "./configuration";
import { createMembershipCheck, loadListedInstallation } from "./install-integration";
import { type InstallPlace, places } from "./places";
import type { InstallationContext, PlacementContext } from "./rules";
import type { PlacedChanges } from "./schema";
import { type PlacementView, presentPlacement } from "./views";

interface Listed {
  readonly query: { readonly externalId?: string | undefined; readonly extended?: boolean | undefined };
  readonly pageRequest: PageRequest;
  readonly urls: Urls;
}

/** What an answer is made from; `place` is undefined where the caller does not see it. */
interface Found {
  readonly it: InstallationContext;
  readonly on: PlacementRecord;
  readonly place: InstallPlace | undefined;
}

interface Writing {
  readonly tx: Transaction;
  readonly actor: TargetContext["actor"];
  readonly now: Date;
  readonly urls: Urls;
  readonly enqueueJob: (step: JobType<PlacementKey>, name: PlacementKey) => void;
  readonly emit: (event: OutgoingEvent) => void;
}

/** All spaces, or sites, with an integration, as far as the caller may see them. */
export function listPlacesOfIntegration<Kind extends PlaceKind>(
  kind: Kind,
  context: IntegrationContext & Listed & Pick<TargetContext, "tx" | "actor" | "peek">,
): Promise<PageOfItems<PlacementView[Kind]>> {
  const { tx, actor, peek } = context;
  const definition = context.integration.id;
  const isPublisher = integration.rights.inspect(context);
  const mayList = createMembershipCheck(peek, actor.user.id, isPublisher);
  const follow = async (line: PlacementListing): Promise<Found | undefined> => {
    if (!(await mayList(line.organization))) return undefined;
    const found = await loadListedInstallation(line, { actor, peek });
    const on = found && (await placements.get(found.view, line.installation, kind, line.place));
    const place = on && (await places[kind].find({ tx: found.view, actor }, found.found, line.place));
    return on && (isPublisher || place?.isVisible) ? { it: found.found, on, place } : undefined;
  };
  const everywhere = async function* (): AsyncGenerator<PositionedRecord<Found | undefined>> {
    const lines = iterateRows((slice) =>
      installationListings.list(tx, "ofIntegration", { under: [definition], ...slice }),
    );
    for await (const { record, position } of lines) {
      const found = (await mayList(record.organization))
        ? await loadListedInstallation(record, { actor, peek })
        : undefined;
      if (found) yield* placesOfAll(kind, { ...found.found, tx: found.view, actor, seesAll: isPublisher }, position);
    }
  };
  return listed(kind, context, {
    walk: async (slice) => {
      const rows = await placementListings.list(tx, "ofIntegration", { under: [definition, kind], ...slice });
      return Promise.all(rows.map(async ({ record, position }) => ({ record: await follow(record), position })));
    },
    everywhere,
  });
}

/** The spaces, or sites, of an installation, as far as the caller may see them. */
export function listPlacesOfInstallation<Kind extends PlaceKind>(
  kind: Kind,
  context: InstallationContext & Listed & Pick<TargetContext, "tx" | "actor">,
): Promise<PageOfItems<PlacementView[Kind]>> {
  const seesAll = context.isPublisher || context.isItself === true;
  const follow = async (on: PlacementRecord): Promise<Found | undefined> => {
    const place = await places[kind].find(context, context, on.place);
    return seesAll || place?.isVisible ? { it: context, on, place } : undefined;
  };
  return listed(kind, context, {
    walk: async (slice) => {
      const under = [context.installation.id, kind];
      const rows = await placements.list(context.tx, "ofInstallation", { under, ...slice });
      return Promise.all(rows.map(async ({ record, position }) => ({ record: await follow(record), position })));
    },
    everywhere: () => placesOfAll(kind, { ...context, seesAll }, ""),
  });
}

/** The spaces, or sites, of an installation that is on all of them, without those that it is also on by name. */
async function* placesOfAll(
  kind: PlaceKind,
  it: InstallationContext & Pick<TargetContext, "tx" | "actor"> & { readonly seesAll: boolean },
  prefix: string,
): AsyncGenerator<PositionedRecord<Found | undefined>> {
  if (!isOnAllPlaces(it.installation, kind)) return;
  for await (const { record, position } of iterateRows((slice) => places[kind].list(it.tx, slice))) {
    const isNamed = (await placements.get(it.tx, it.installation.id, kind, record.id)) !== undefined;
    const place = isNamed ? undefined : await places[kind].find(it, it, record.id);
    if (!place || !(it.seesAll || place.isVisible)) continue;
    yield {
      record: { it, on: createImplicitPlacement(kind, it, record.id), place },
      position: `${LAST}${prefix}${position}`,
    };
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
  }: {
    readonly walk: ReadRows<Found | undefined>;
    readonly everywhere: () => AsyncIterable<PositionedRecord<Found | undefined>>;
  },
): Promise<PageOfItems<PlacementView[Kind]>> {
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
    (shown) => Promise.all(shown.map((it) => presentPlacement(kind, it!.it, it!.on, it!.place, { urls, extended }))),
  );
}

/** Installs on a space or a site. The id is resolved as the caller sees it. */
export async function installOnPlace<Kind extends PlaceKind>(
  kind: Kind,
  id: string,
  context: InstallationContext & Writing & { readonly body: PlacedChanges },
): Promise<PlacementView[Kind]> {
  const { tx, installation, integration, body, now, urls } = context;
  const { find, notFoundMessage: none, wrongTargetReason: notFor } = places[kind];
  const place = await find(context, context, id);
  if (!place?.isVisible) throw createValidationError(`body.${kind in body ? kind : `${kind}Id`}`, none);
  if (!place.canManage) throw createError("forbidden");
  if (integration.target !== "all" && integration.target !== kind) throw createError(notFor);
  const schema = integration.configurations[kind];
  const configuration = resolveConfiguration(schema, body.configuration ?? {}, "body.configuration");
  const on: PlacementRecord = {
    installation: installation.id,
    kind,
    place: id,
    status: isConfigurationComplete(schema, configuration) ? "active" : "pending",
    configuration,
    externalIds: body.externalIds ?? [],
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  };
  if (await placements.get(tx, installation.id, kind, id)) throw createError("already_installed");
  await placements.put(tx, on);
  tell(context, on, createPlacementSetupEvent(on));
  return presentPlacement(kind, context, on, place, { urls });
}

/** Configures an installation on a space or a site. */
export async function configureOnPlace<Kind extends PlaceKind>(
  kind: Kind,
  context: PlacementContext & Writing & { readonly body: PlacedChanges },
): Promise<PlacementView[Kind]> {
  const { tx, integration, body, now, urls, place } = context;
  const before = context.placement;
  if (Object.keys(body).length === 0) return presentPlacement(kind, context, before, place, { urls });
  const schema = integration.configurations[kind];
  const configuration = body.configuration
    ? resolveConfiguration(schema, body.configuration, "body.configuration")
    : before.configuration;
  const changed: PlacementRecord = {
    ...before,
    configuration,
    externalIds: body.externalIds ?? before.externalIds,
    status: isConfigurationComplete(schema, configuration) ? "active" : "pending",
    updatedAt: now.toISOString(),
  };
  await placements.put(tx, changed);
  tell(context, changed, createPlacementSetupEvent(changed, before));
  return presentPlacement(kind, context, changed, place, { urls });
}

/** Takes an installation off a space or a site that it was put on by name. */
export async function uninstallFromPlace(context: PlacementContext & Writing): Promise<void> {
  const { tx, placement: on } = context;
  if (!(await placements.get(tx, on.installation, on.kind, on.place)))
    throw createError(`${on.kind}_installation_not_found`);
  await placements.delete(tx, on.installation, on.kind, on.place);
  tell(context, on, createPlacementDeletedEvent(on));
}

/** The publisher sees where the integration is installed, and the installation gets an event. */
function tell(
  { installation, enqueueJob, emit }: InstallationContext & Writing,
  on: PlacementRecord,
  event: OutgoingEvent,
): void {
  enqueueJob(updatePlacementListing, { ...getInstallationKey(installation), kind: on.kind, place: on.place });
  emit(event);
}
