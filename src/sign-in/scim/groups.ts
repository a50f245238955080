// The groups of SCIM are the teams of an organization, with their members.

import type { PlainResponse } from "../../http/plain-request";
import { enqueueJob } from "../../jobs/jobs";
import { foldText } from "../../operation/common-schemas";
import { iterateRows, readAllRows } from "../../operation/pagination";
import { rejectDuplicates } from "../../operation/reject-duplicates";
import { members } from "../../resources/people/members/records";
import { forgetDefaultTeam } from "../../resources/people/saml/records";
import { scimGroups } from "../../resources/people/scim/records";
import { emptyTeam, putChangedTeam, type TeamRecord, teamMembers, teams } from "../../resources/people/teams/records";
import { findUsersById } from "../../resources/people/users/records";
import { DIRECTORY, generateId } from "../../storage/ids";
import type { Reader, Transaction } from "../../storage/transaction";
import { splitIntoChunks } from "../../utils/chunks";
import { isJsonObject, omitUndefined } from "../../utils/objects";
import { toLocation } from "../../utils/url";
import { FilterBudget, findRequiredValue, hasAttribute, MAX_SEARCH_WORK, matchesFilter, parseFilter } from "./filter";
import { readTextAttribute } from "./parse-user";
import {
  checkReadOnly,
  createNoTargetError,
  getElementValue,
  getScimAttribute,
  type PatchOperation,
  parsePatchOperations,
} from "./patch";
import {
  CORE_SCHEMA,
  createListResponse,
  createNotFoundError,
  createScimResponse,
  getResourceUrl,
  isRequestedAttribute,
  parseListRange,
  recordProvisioning,
  ScimError,
  type ScimRequest,
  selectAttributes,
} from "./protocol";

const SCHEMAS = [`${CORE_SCHEMA}:Group`];

export async function listGroups(request: ScimRequest): Promise<PlainResponse> {
  const tx = await request.context.kernel.store.read(request.place.partition);
  const { startIndex, count } = parseListRange(request.query);
  const filterText = request.query.get("filter");
  const filter = filterText ? parseFilter(filterText) : undefined;
  const matches: TeamRecord[] = [];
  const budget = new FilterBudget(MAX_SEARCH_WORK);
  // The teams that may match are found by an index. Without a suitable filter, all teams are compared.
  const [id, title, externalId] = ["id", "displayname", "externalid"].map(
    (name) => filter && findRequiredValue(filter, name),
  );
  let candidates: (TeamRecord | undefined)[];
  if (id !== undefined) candidates = [await teams.get(tx, id)];
  else if (title !== undefined) candidates = [await teams.find(tx, "title", foldText(title))];
  else if (externalId !== undefined) {
    const rows = await scimGroups.list(tx, "externalId", { under: [externalId], limit: 100 });
    const ids = rows.map(({ record }) => record.team);
    candidates = await teams.getMany(tx, ids);
  } else candidates = (await readAllRows((slice) => teams.list(tx, "title", slice))).map(({ record }) => record);
  for (const team of candidates) {
    if (!team) continue;
    if (filter) {
      // Of the members, only the one that the filter names is compared.
      const user = findRequiredValue(filter, "members", "members.value");
      const isMember = user !== undefined && (await teamMembers.get(tx, team.id, user)) !== undefined;
      const resource = {
        ...(await getGroupAttributes(tx, team)),
        id: team.id,
        ...omitUndefined({
          members: isMember ? [{ value: user }] : undefined,
          schemas: hasAttribute(filter, "schemas") ? SCHEMAS : undefined,
          meta: hasAttribute(filter, "meta") ? getGroupMeta(team, request) : undefined,
        }),
      };
      budget.take(resource, filter);
      if (!matchesFilter(resource, filter)) continue;
    }
    matches.push(team);
  }
  const page = matches.slice(startIndex - 1, startIndex - 1 + count);
  const resources = await Promise.all(page.map((team) => renderGroup(tx, team, request)));
  return createListResponse(resources, matches.length, startIndex);
}

function getGroupMeta({ id, createdAt: created, updatedAt: lastModified = created }: TeamRecord, request: ScimRequest) {
  return { resourceType: "Group", created, lastModified, location: getResourceUrl(request, `Groups/${id}`) };
}

async function getGroupAttributes(tx: Reader, team: TeamRecord): Promise<object> {
  const scimGroup = await scimGroups.get(tx, team.id);
  return { displayName: team.title, ...omitUndefined({ externalId: scimGroup?.externalId }) };
}

/** Returns the resource of a team with the requested attributes. Members are only loaded if they are requested. */
async function renderGroup(tx: Reader, team: TeamRecord, request: ScimRequest): Promise<object> {
  const loadMembers = async () => {
    const ids = await listTeamMemberIds(tx, team.id);
    const usersById = await findUsersById(await request.context.kernel.store.read(DIRECTORY), ids);
    return ids.map((value) => ({
      value,
      type: "User",
      display: usersById.get(value)?.displayName ?? "",
      $ref: getResourceUrl(request, `Users/${value}`),
    }));
  };
  return selectAttributes(request, {
    schemas: SCHEMAS,
    id: team.id,
    ...(await getGroupAttributes(tx, team)),
    ...omitUndefined({ members: isRequestedAttribute(request, "members") ? await loadMembers() : undefined }),
    meta: getGroupMeta(team, request),
  });
}

async function listTeamMemberIds(tx: Reader, team: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { record } of iterateRows((slice) => teamMembers.list(tx, "ofTeam", { under: [team], ...slice })))
    ids.push(record.user);
  return ids;
}

export async function getGroup(request: ScimRequest): Promise<PlainResponse> {
  const tx = await request.context.kernel.store.read(request.place.partition);
  return createScimResponse(200, await renderGroup(tx, await getTeamOrThrow(tx, request.id), request));
}

async function getTeamOrThrow(tx: Reader, id: string): Promise<TeamRecord> {
  const team = await teams.get(tx, id);
  if (!team) throw createNotFoundError();
  return team;
}

export async function createGroup(request: ScimRequest): Promise<PlainResponse> {
  const { context, place } = request;
  const { store } = context.kernel;
  const { title, externalId, memberIds } = parseScimGroup(request.body);
  const id = generateId("team", place.code, store.random);
  await checkOrganizationMembers(await store.read(place.partition), memberIds);
  await store.write(place.partition, async (tx) => {
    const now = store.now();
    await putTeam(tx, { id, title, createdAt: now.toISOString() }, externalId, now);
    recordProvisioning(request, tx, "teamProvisioned", { type: "team", id });
  });
  await addMembers(request, id, memberIds);
  const response = await getGroup({ ...request, id });
  const location = toLocation(getResourceUrl(request, `Groups/${id}`));
  return { ...response, status: 201, headers: { ...response.headers, location } };
}

function parseScimGroup(body: unknown) {
  const attributes = isJsonObject(body) ? body : {};
  const title = readTextAttribute(attributes, "displayName");
  if (title === undefined) throw new ScimError(400, "A group needs a `displayName`.", "invalidValue");
  const externalId = readTextAttribute(attributes, "externalId");
  return { title, externalId, memberIds: readMemberIds(getScimAttribute(attributes, "members")) };
}

function readMemberIds(value: unknown): string[] {
  const ids = [value ?? []].flat().map(getElementValue);
  if (ids.every((id) => typeof id === "string")) return [...new Set(ids)];
  throw new ScimError(400, "`members` is a list of objects with a `value`.", "invalidValue");
}

async function putTeam(tx: Transaction, team: TeamRecord, externalId: string | undefined, now: Date): Promise<void> {
  const duplicateError = new ScimError(409, "A team has this name already: find it with a filter.", "uniqueness");
  await rejectDuplicates(putChangedTeam(tx, team, now), duplicateError);
  if (externalId !== undefined) await scimGroups.put(tx, { team: team.id, externalId });
}

/** PUT: replaces the group by the body. */
export async function replaceGroup(request: ScimRequest): Promise<PlainResponse> {
  const { title, externalId, memberIds } = parseScimGroup(request.body);
  await renameGroup(request, { title, externalId });
  await setMembers(request, memberIds);
  return getGroup(request);
}

/** PATCH: applies the operations one after the other. The response has no body, because groups are large. */
export async function patchGroup(request: ScimRequest): Promise<PlainResponse> {
  const team = await getTeamOrThrow(await request.context.kernel.store.read(request.place.partition), request.id);
  const budget = new FilterBudget();
  const operations = parsePatchOperations(request.body);
  checkReadOnly(operations, { id: team.id, meta: getGroupMeta(team, request), schemas: SCHEMAS });
  for (const operation of operations) await applyGroupOperation(request, operation, budget);
  return createScimResponse(204);
}

async function applyGroupOperation(
  request: ScimRequest,
  { op, path, value }: PatchOperation,
  budget: FilterBudget,
): Promise<void> {
  const { filter, subAttribute } = path;
  const attribute = path.attribute.toLowerCase();
  if (attribute === "displayname" && op !== "remove")
    await renameGroup(request, { title: readTextAttribute({ displayName: value }, "displayName") });
  if (attribute === "externalid" && op !== "remove")
    await renameGroup(request, { externalId: readTextAttribute({ externalId: value }, "externalId") });
  if (attribute !== "members") return;
  if (filter && subAttribute !== undefined)
    throw new ScimError(
      400,
      "The parts of a member can't be changed: remove the member, and add another.",
      "mutability",
    );
  if (op === "add") return addMembers(request, request.id, readMemberIds(value));
  if (op === "replace" && filter) {
    const newIds = readMemberIds(value);
    const tx = await request.context.kernel.store.read(request.place.partition);
    const currentIds = await listTeamMemberIds(tx, request.id);
    budget.take(currentIds, filter);
    const isReplaced = (user: string) => matchesFilter({ value: user, type: "User" }, filter);
    if (!currentIds.some(isReplaced)) throw createNoTargetError("members");
    return setMembers(request, [...currentIds.filter((user) => !isReplaced(user)), ...newIds], budget);
  }
  if (op === "replace") return setMembers(request, readMemberIds(value), budget);

  // A removal selects members by its filter, else by its value, else all.
  const requiredId = filter ? findRequiredValue(filter, "value") : undefined;
  if (requiredId !== undefined) return removeMembers(request, [requiredId]);
  if (!filter && value !== undefined && value !== null) return removeMembers(request, readMemberIds(value));
  const ids = await listTeamMemberIds(await request.context.kernel.store.read(request.place.partition), request.id);
  budget.take(ids, filter);
  return removeMembers(
    request,
    filter ? ids.filter((user) => matchesFilter({ value: user, type: "User" }, filter)) : ids,
  );
}

async function renameGroup(
  request: ScimRequest,
  { title, externalId }: { readonly title?: string | undefined; readonly externalId?: string | undefined },
): Promise<void> {
  const { context, place, id } = request;
  await context.kernel.store.write(place.partition, async (tx) => {
    const team = await getTeamOrThrow(tx, id);
    await putTeam(tx, { ...team, title: title ?? team.title }, externalId, context.kernel.store.now());
    if (title !== undefined && title !== team.title)
      recordProvisioning(request, tx, "teamProvisioned", { type: "team", id }, [{ field: "title" }]);
  });
}

async function setMembers(request: ScimRequest, ids: readonly string[], budget = new FilterBudget()): Promise<void> {
  const { context, place, id } = request;
  const tx = await context.kernel.store.read(place.partition);
  const currentIds = new Set(await listTeamMemberIds(tx, id));
  const newIds = new Set(ids);
  budget.take([...currentIds]);
  const addedIds = ids.filter((user) => !currentIds.has(user));
  await addMembers(request, id, addedIds);
  const removedIds = [...currentIds].filter((user) => !newIds.has(user));
  await removeMembers(request, removedIds);
}

const MEMBERS_PER_COMMIT = 50;

/** Refuses users who aren't members of the organization, before anything is changed. */
async function checkOrganizationMembers(tx: Reader, ids: readonly string[]): Promise<void> {
  for (const batch of splitIntoChunks(ids, MEMBERS_PER_COMMIT)) {
    const unknownId = batch[(await members.getMany(tx, batch)).indexOf(undefined)];
    if (unknownId !== undefined)
      throw new ScimError(400, `No user of the organization has the id ${unknownId.slice(0, 64)}.`, "invalidValue");
  }
}

async function addMembers(request: ScimRequest, team: string, ids: readonly string[]): Promise<void> {
  const { context, place } = request;
  const { store } = context.kernel;
  await checkOrganizationMembers(await store.read(place.partition), ids);
  for (const batch of splitIntoChunks(ids, MEMBERS_PER_COMMIT))
    await store.write(place.partition, async (tx) => {
      await putChangedTeam(tx, await getTeamOrThrow(tx, team), store.now());
      recordProvisioning(request, tx, "teamProvisioned", { type: "team", id: team }, [{ field: "members" }]);
      for (const user of batch) {
        if (!(await members.get(tx, user)) || (await teamMembers.get(tx, team, user))) continue;
        await teamMembers.put(tx, { team, user, role: "member", joinedAt: store.now().toISOString() });
      }
    });
}

async function removeMembers(request: ScimRequest, ids: readonly string[]): Promise<void> {
  const { context, place, id } = request;
  for (const batch of splitIntoChunks(ids, MEMBERS_PER_COMMIT))
    await context.kernel.store.write(place.partition, async (tx) => {
      await putChangedTeam(tx, await getTeamOrThrow(tx, id), context.kernel.store.now());
      recordProvisioning(request, tx, "teamProvisioned", { type: "team", id }, [{ field: "members" }]);
      for (const user of batch) await teamMembers.delete(tx, id, user);
    });
}

export async function deleteGroup(request: ScimRequest): Promise<PlainResponse> {
  const { context, place, organization, id } = request;
  const { store, jobs } = context.kernel;
  await store.write(place.partition, async (tx) => {
    await getTeamOrThrow(tx, id);
    await teams.delete(tx, id);
    await scimGroups.delete(tx, id);
    recordProvisioning(request, tx, "teamDeprovisioned", { type: "team", id });
    await forgetDefaultTeam(tx, id);
    enqueueJob(jobs, place, tx, emptyTeam, { organization: organization.id, team: id });
  });
  return createScimResponse(204);
}
