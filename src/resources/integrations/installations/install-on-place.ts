// Installs integrations on spaces and sites, each with its own configuration. Whoever may manage the space or site may install on
// it. `on-places.ts` has the operations.

import { createError, createValidationError } from "../../../errors";
import type { JobType } from "../../../jobs/jobs";
import type { OutgoingEvent } from "../../../jobs/outbox";
import type { CallContext } from "../../../operation/operation";
import { iterateRows, type PageOfItems, paginateFiltered, type ReadRows } from "../../../operation/pagination";
import type { TargetContext } from "../../../operation/target";
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

interface PlacementListContext extends Pick<CallContext, "pageRequest" | "urls"> {
  readonly query: { readonly externalId?: string | undefined; readonly extended?: boolean | undefined };
}

/** A placement to list. `place` is undefined if the caller does not see it. */
interface ListedPlacement {
  readonly installationContext: InstallationContext;
  readonly placement: PlacementRecord;
  readonly place: InstallPlace | undefined;
}

interface PlacementWriteContext extends Pick<CallContext, "actor" | "now" | "tx" | "urls" | "emit"> {
  readonly enqueueJob: (jobType: JobType<PlacementKey>, key: PlacementKey) => void;
}

/** Lists the spaces, or sites, with an integration, as far as the caller may see them. */
export function listPlacesOfIntegration<Kind extends PlaceKind>(
  kind: Kind,
  context: IntegrationContext & PlacementListContext & Pick<TargetContext, "tx" | "actor" | "peek">,
): Promise<PageOfItems<PlacementView[Kind]>> {
  const { tx, actor, peek } = context;
  const definition = context.integration.id;
  const isPublisher = integration.rights.inspect(context);
  const canList = createMembershipCheck(peek, actor.user.id, isPublisher);
  const loadPlacement = async (listing: PlacementListing): Promise<ListedPlacement | undefined> => {
    if (!(await canList(listing.organization))) return undefined;
    const loaded = await loadListedInstallation(listing, { actor, peek });
    if (!loaded) return undefined;
    const { installationContext, view } = loaded;
    const placement = await placements.get(view, listing.installation, kind, listing.place);
    if (!placement) return undefined;
    const place = await places[kind].find({ tx: view, actor }, installationContext, listing.place);
    return isPublisher || place?.isVisible ? { installationContext, placement, place } : undefined;
  };
  return paginatePlacements(
    kind,
    context,
    async (slice) => {
      const rows = await placementListings.list(tx, "ofIntegration", { under: [definition, kind], ...slice });
      return Promise.all(rows.map(async ({ record, position }) => ({ record: await loadPlacement(record), position })));
    },
    async function* () {
      const rows = iterateRows((slice) =>
        installationListings.list(tx, "ofIntegration", { under: [definition], ...slice }),
      );
      for await (const { record, position } of rows) {
        if (!(await canList(record.organization))) continue;
        const loaded = await loadListedInstallation(record, { actor, peek });
        if (!loaded) continue;
        const { installationContext, view } = loaded;
        yield* iterateImplicitPlacements(
          kind,
          { ...installationContext, tx: view, actor, seesAll: isPublisher },
          position,
        );
      }
    },
  );
}

/** Lists the spaces, or sites, of an installation, as far as the caller may see them. */
export function listPlacesOfInstallation<Kind extends PlaceKind>(
  kind: Kind,
  context: InstallationContext & PlacementListContext & Pick<TargetContext, "tx" | "actor">,
): Promise<PageOfItems<PlacementView[Kind]>> {
  const seesAll = context.isPublisher || context.isItself === true;
  const loadPlacement = async (placement: PlacementRecord): Promise<ListedPlacement | undefined> => {
    const place = await places[kind].find(context, context, placement.place);
    return seesAll || place?.isVisible ? { installationContext: context, placement, place } : undefined;
  };
  return paginatePlacements(
    kind,
    context,
    async (slice) => {
      const under = [context.installation.id, kind];
      const rows = await placements.list(context.tx, "ofInstallation", { under, ...slice });
      return Promise.all(rows.map(async ({ record, position }) => ({ record: await loadPlacement(record), position })));
    },
    () => iterateImplicitPlacements(kind, { ...context, seesAll }, ""),
  );
}

/** Yields the placements of an installation that is on all spaces, or sites, except those that it also has by name. */
async function* iterateImplicitPlacements(
  kind: PlaceKind,
  context: InstallationContext & Pick<TargetContext, "tx" | "actor"> & { readonly seesAll: boolean },
  positionPrefix: string,
): AsyncGenerator<PositionedRecord<ListedPlacement | undefined>> {
  const { tx, installation, seesAll } = context;
  if (!isOnAllPlaces(installation, kind)) return;
  for await (const { record, position } of iterateRows((slice) => places[kind].list(tx, slice))) {
    const isNamed = (await placements.get(tx, installation.id, kind, record.id)) !== undefined;
    const place = isNamed ? undefined : await places[kind].find(context, context, record.id);
    if (!place || !(seesAll || place.isVisible)) continue;
    const placement = createImplicitPlacement(kind, context, record.id);
    yield {
      record: { installationContext: context, placement, place },
      position: `${LAST_POSITIONS}${positionPrefix}${position}`,
    };
  }
}

/** Implicit placements come after those by name: no key begins with this byte. */
const LAST_POSITIONS = "\xff";

function paginatePlacements<Kind extends PlaceKind>(
  kind: Kind,
  { pageRequest, query, urls }: PlacementListContext,
  readNamed: ReadRows<ListedPlacement | undefined>,
  iterateImplicit: () => AsyncIterable<PositionedRecord<ListedPlacement | undefined>>,
): Promise<PageOfItems<PlacementView[Kind]>> {
  const { externalId, extended } = query;
  const readAll: ReadRows<ListedPlacement | undefined> = async (slice) => {
    if (slice.after?.startsWith(LAST_POSITIONS)) return [];
    const rows = await readNamed(slice);
    if (rows.length < slice.limit) for await (const row of iterateImplicit()) rows.push(row);
    return rows;
  };
  return paginateFiltered(
    pageRequest,
    readAll,
    (listed) => listed !== undefined && (externalId === undefined || listed.placement.externalIds.includes(externalId)),
    (shown) =>
      Promise.all(
        shown.map((listed) => {
          const { installationContext, placement, place } = listed!;
          return presentPlacement(kind, installationContext, placement, place, { urls, extended });
        }),
      ),
  );
}

/** Installs on a space or a site. The id is resolved as the caller sees it. */
export async function installOnPlace<Kind extends PlaceKind>(
  kind: Kind,
  id: string,
  context: InstallationContext & PlacementWriteContext & { readonly body: PlacedChanges },
): Promise<PlacementView[Kind]> {
  const { tx, installation, integration, body, now, urls } = context;
  const { find, notFoundMessage, wrongTargetReason } = places[kind];
  const place = await find(context, context, id);
  if (!place?.isVisible) throw createValidationError(`body.${kind in body ? kind : `${kind}Id`}`, notFoundMessage);
  if (!place.canManage) throw createError("forbidden");
  if (integration.target !== "all" && integration.target !== kind) throw createError(wrongTargetReason);
  const schema = integration.configurations[kind];
  const configuration = resolveConfiguration(schema, body.configuration ?? {}, "body.configuration");
  const placement: PlacementRecord = {
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
  await placements.put(tx, placement);
  announceChange(context, placement, createPlacementSetupEvent(placement));
  return presentPlacement(kind, context, placement, place, { urls });
}

/** Configures an installation on a space or a site. */
export async function configureOnPlace<Kind extends PlaceKind>(
  kind: Kind,
  context: PlacementContext & PlacementWriteContext & { readonly body: PlacedChanges },
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
  announceChange(context, changed, createPlacementSetupEvent(changed, before));
  return presentPlacement(kind, context, changed, place, { urls });
}

/** Removes an installation from a space or a site on which it was installed by name. */
export async function uninstallFromPlace(context: PlacementContext & PlacementWriteContext): Promise<void> {
  const { tx, placement } = context;
  const { installation, kind, place } = placement;
  if (!(await placements.get(tx, installation, kind, place))) throw createError(`${kind}_installation_not_found`);
  await placements.delete(tx, installation, kind, place);
  announceChange(context, placement, createPlacementDeletedEvent(placement));
}

function announceChange(
  { installation, enqueueJob, emit }: InstallationContext & PlacementWriteContext,
  { kind, place }: PlacementRecord,
  event: OutgoingEvent,
): void {
  enqueueJob(updatePlacementListing, { ...getInstallationKey(installation), kind, place });
  emit(event);
}
