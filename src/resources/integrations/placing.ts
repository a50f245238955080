// Installations on spaces: each with a configuration of its own. Who may create on a space may install on it.

import { failure, invalid } from "../../errors";
import { filteredPageOf, type Walk } from "../../kernel/pages";
import { unlessTaken } from "../../kernel/taken";
import { type Listing, operation } from "../../operation";
import { configured, isComplete } from "./configuring";
import { type InInstallation, installation, placedTarget } from "./installation-rules";
import { NewSpaceInstallation, PlacedChanges, PlacedFilters, SpaceInstallation } from "./installation-schema";
import { spaceInstallationView } from "./installation-views";
import { lookUp, membersOnly } from "./installing";
import { type Place, places } from "./places";
import { listPlaced, nameOf, type PlacedLine, type PlacedRecord, placed, placedLines } from "./records";
import { integration } from "./rules";

const onSpace = placedTarget("space");

export const listIntegrationSpaces = operation("GET /integrations/:integrationName/spaces", {
  summary: "List the spaces that an integration is installed on, as far as you may see them",
  on: integration,
  right: "view",
  query: PlacedFilters,
  list: SpaceInstallation,
  async handle(context) {
    const { tx, actor, query, page, peek, urls } = context;
    const isPublisher = integration.rights.inspect(context);
    const mayList = membersOnly(peek, actor.user.id, isPublisher);
    /** A line with what it leads to; undefined for what the caller is not shown. */
    const follow = async (line: PlacedLine) => {
      if (!(await mayList(line.organization))) return undefined;
      const it = await lookUp(line, { actor, peek });
      const on = it && (await placed.get(it.view, line.installation, "space", line.place));
      const place = on && (await places.space.find({ tx: it.view, actor }, it.found, line.place));
      return on && (isPublisher || place?.isSeen) ? { found: it.found, on, place } : undefined;
    };
    return filteredPageOf(
      page,
      async (slice) => {
        const under = [context.integration.id, "space"];
        const rows = await placedLines.list(tx, "ofIntegration", { under, ...slice });
        return Promise.all(rows.map(async ({ record, position }) => ({ record: await follow(record), position })));
      },
      (it) => it !== undefined && hasExternalId(it.on, query.externalId),
      (found) =>
        Promise.all(
          found.map((it) =>
            spaceInstallationView(it!.found, it!.on, it!.place, { urls, extended: query.extended === true }),
          ),
        ),
    );
  },
});

function hasExternalId({ externalIds }: PlacedRecord, wanted: string | undefined): boolean {
  return wanted === undefined || externalIds.includes(wanted);
}

const at = "/integrations/:integrationName/installations/:installationId/spaces" as const;

export const listInstallationSpaces = operation(`GET ${at}`, {
  summary: "List the spaces that an installation is on, as far as you may see them",
  on: installation,
  right: "view",
  query: PlacedFilters,
  list: SpaceInstallation,
  async handle(context) {
    const { tx, query, page, urls } = context;
    const walk: Walk<{ readonly on: PlacedRecord; readonly place: Place | undefined }> = async (slice) => {
      const under = [context.installation.id, "space"];
      const rows = await placed.list(tx, "ofInstallation", { under, ...slice });
      const found = await Promise.all(rows.map(({ record }) => places.space.find(context, context, record.place)));
      return rows.map(({ record, position }, i) => ({ record: { on: record, place: found[i] }, position }));
    };
    const listing: Listing<Awaited<ReturnType<typeof spaceInstallationView>>> = await filteredPageOf(
      page,
      walk,
      ({ on, place }) =>
        (context.isPublisher || context.isItself === true || place?.isSeen === true) &&
        hasExternalId(on, query.externalId),
      (found) =>
        Promise.all(
          found.map(({ on, place }) =>
            spaceInstallationView(context, on, place, { urls, extended: query.extended === true }),
          ),
        ),
    );
    return listing;
  },
});

export const installOnSpace = operation(`POST ${at}`, {
  summary: "Install an integration on a space",
  on: installation,
  right: "view",
  body: NewSpaceInstallation,
  returns: SpaceInstallation,
  status: 201,
  async handle(context) {
    const { tx, installation, integration, body, now, later, emit, urls } = context;
    const place = await places.space.find(context, context, body.space);
    if (!place?.isSeen) throw invalid("body.space", "The organization has no such space");
    if (!place.isManaged) throw failure("forbidden");
    checkTarget(context);
    const schema = integration.configurations.space;
    const configuration = configured(schema, body.configuration ?? {}, "body.configuration");
    const on: PlacedRecord = {
      installation: installation.id,
      kind: "space",
      place: body.space,
      status: isComplete(schema, configuration) ? "active" : "pending",
      configuration,
      externalIds: body.externalIds ?? [],
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
    };
    if (await placed.get(tx, installation.id, "space", body.space)) throw failure("already_installed");
    await unlessTaken(placed.put(tx, on), "already_installed");
    later(listPlaced, { ...nameOf(installation), kind: "space", place: body.space });
    emit({ type: "space_installation_setup", installationId: installation.id, spaceId: on.place, status: on.status });
    return spaceInstallationView(context, on, place, { urls, extended: false });
  },
});

function checkTarget({ integration }: InInstallation): void {
  if (integration.target !== "all" && integration.target !== "space") throw failure("not_for_spaces");
}

export const getSpaceInstallation = operation(`GET ${at}/:spaceId`, {
  summary: "Get an installation on a space",
  on: onSpace,
  right: "view",
  query: { extended: PlacedFilters.extended },
  returns: SpaceInstallation,
  async handle(context) {
    const { placed, place, query, urls } = context;
    return spaceInstallationView(context, placed, place, { urls, extended: query.extended === true });
  },
});

export const updateSpaceInstallation = operation(`PATCH ${at}/:spaceId`, {
  summary: "Configure an installation on a space",
  on: onSpace,
  right: "configure",
  body: PlacedChanges,
  returns: SpaceInstallation,
  async handle(context) {
    const { tx, installation, integration, body, now, later, emit, urls, place } = context;
    const before = context.placed;
    const schema = integration.configurations.space;
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
    later(listPlaced, { ...nameOf(installation), kind: "space", place: changed.place });
    emit({
      type: "space_installation_setup",
      installationId: installation.id,
      spaceId: changed.place,
      status: changed.status,
      previous: { status: before.status, configuration: before.configuration },
    });
    return spaceInstallationView(context, changed, place, { urls, extended: false });
  },
});

export const uninstallFromSpace = operation(`DELETE ${at}/:spaceId`, {
  summary: "Remove an installation from a space",
  on: onSpace,
  right: "manage",
  async handle({ tx, installation, placed: on, later, emit }) {
    await placed.delete(tx, installation.id, "space", on.place);
    later(listPlaced, { ...nameOf(installation), kind: "space", place: on.place });
    const { configuration } = on;
    emit({
      type: "space_installation_deleted",
      installationId: installation.id,
      spaceId: on.place,
      previous: { configuration },
    });
  },
});
