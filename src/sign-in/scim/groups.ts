// Groups of SCIM are the teams of an organization, and who is in them.

import type { PlainResponse } from "../../http/plain-request";
import { enqueueJob } from "../../jobs/jobs";
import { foldText } from "../../operation/common-schemas";
import { iterateRows, readAllRows } from "../../operation/pagination";
import { members } from "../../resources/people/members/records";
import { forgetDefaultTeam } from "../../resources/people/saml/records";
import { scimGroups } from "../../resources/people/scim/records";
import { emptyTeam, putChangedTeam, type TeamRecord, teamMembers, teams } from "../../resources/people/teams/records";
import { findUsersById } from "../../resources/people/users/records";
import { DIRECTORY, generateId } from "../../storage/ids";
import { DuplicateError } from "../../storage/records";
import type { Reader, Transaction } from "../../storage/transaction";
import { omitUndefined } from "../../utils/objects";
import { toLocation } from "../../utils/url";
import { absent, answer, CORE, listAnswer, ScimError, windowIn } from "./answers";
import { type Change, changesIn, checkReadOnly, isObject, knownBy, memberIn, noTarget } from "./changes";
import { demanded, type Filter, FilterBudget, hasAttribute, MAX_SEARCH_WORK, passes, readFilter } from "./filter";
import { isWanted, locationOf, noteChange, type ScimRequest, wantedOf } from "./request";
import { textIn } from "./user-attributes";

export async function listGroups(request: ScimRequest): Promise<PlainResponse> {
  const tx = await request.house.kernel.store.read(request.place.partition);
  const window = windowIn(request.query);
  const given = request.query.get("filter");
  const filter = given ? readFilter(given) : undefined;
  const all: TeamRecord[] = [];
  const budget = new FilterBudget(MAX_SEARCH_WORK);
  for (const team of await teamsFor(tx, filter)) {
    const compared = filter && (await comparedOf(tx, team, filter, request));
    if (filter) budget.take(compared, filter);
    if (!filter || passes(compared, filter)) all.push(team);
  }
  const shown = all.slice(window.startIndex - 1, window.startIndex - 1 + window.count);
  const views = await Promise.all(shown.map((team) => groupView(tx, team, request)));
  return listAnswer(views, all.length, window);
}

/** The teams that a filter may find. */
async function teamsFor(tx: Reader, filter: Filter | undefined): Promise<TeamRecord[]> {
  const [id, title, externalId] = ["id", "displayname", "externalid"].map((name) => filter && demanded(filter, name));
  if (id !== undefined) return [await teams.get(tx, id)].filter((it) => it !== undefined);
  if (title !== undefined) return [await teams.find(tx, "title", foldText(title))].filter((it) => it !== undefined);
  if (externalId !== undefined) {
    const rows = await scimGroups.list(tx, "externalId", { under: [externalId], limit: 100 });
    const found = await teams.getMany(
      tx,
      rows.map(({ record }) => [record.team]),
    );
    return found.filter((it) => it !== undefined);
  }
  return (await readAllRows((slice) => teams.list(tx, "title", slice))).map(({ record }) => record);
}

/** What a filter compares of a team. Of its members only the one that is asked for. */
async function comparedOf(tx: Reader, team: TeamRecord, filter: Filter, request: ScimRequest): Promise<object> {
  const user = demanded(filter, "members", "members.value");
  const isIn = user !== undefined && (await teamMembers.get(tx, team.id, user)) !== undefined;
  return {
    ...(await attributesOf(tx, team)),
    id: team.id,
    ...omitUndefined({
      members: isIn ? [{ value: user }] : undefined,
      schemas: hasAttribute(filter, "schemas") ? SCHEMAS : undefined,
      meta: hasAttribute(filter, "meta") ? metaOf(team, request) : undefined,
    }),
  };
}

const SCHEMAS = [`${CORE}:Group`];

function metaOf({ id, createdAt: created, updatedAt: lastModified = created }: TeamRecord, request: ScimRequest) {
  return { resourceType: "Group", created, lastModified, location: locationOf(request, `Groups/${id}`) };
}

async function attributesOf(tx: Reader, team: TeamRecord): Promise<object> {
  const named = await scimGroups.get(tx, team.id);
  return { displayName: team.title, ...omitUndefined({ externalId: named?.externalId }) };
}

async function groupView(tx: Reader, team: TeamRecord, request: ScimRequest): Promise<object> {
  return wantedOf(request, {
    schemas: SCHEMAS,
    id: team.id,
    ...(await attributesOf(tx, team)),
    ...omitUndefined({ members: isWanted(request, "members") ? await membersView(tx, team, request) : undefined }),
    meta: metaOf(team, request),
  });
}

async function membersView(tx: Reader, team: TeamRecord, request: ScimRequest): Promise<object[]> {
  const ids = await membersOf(tx, team.id);
  const people = await findUsersById(await request.house.kernel.store.read(DIRECTORY), ids);
  return ids.map((value) => ({
    value,
    type: "User",
    display: people.get(value)?.displayName ?? "",
    $ref: locationOf(request, `Users/${value}`),
  }));
}

async function membersOf(tx: Reader, team: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { record } of iterateRows((slice) => teamMembers.list(tx, "ofTeam", { under: [team], ...slice })))
    ids.push(record.user);
  return ids;
}

export async function getGroup(request: ScimRequest): Promise<PlainResponse> {
  const tx = await request.house.kernel.store.read(request.place.partition);
  return answer(200, await groupView(tx, await teamOf(tx, request.id), request));
}

async function teamOf(tx: Reader, id: string): Promise<TeamRecord> {
  const found = await teams.get(tx, id);
  if (!found) throw absent();
  return found;
}

export async function createGroup(request: ScimRequest): Promise<PlainResponse> {
  const { house, place } = request;
  const { store } = house.kernel;
  const wanted = groupIn(request.body);
  const id = generateId("team", place.code, store.random);
  await checkMembers(await store.read(place.partition), wanted.members);
  await store.write(place.partition, async (tx) => {
    const now = store.now();
    await putTeam(tx, { id, title: wanted.title, createdAt: now.toISOString() }, wanted.externalId, now);
    noteChange(request, tx, "teamProvisioned", { type: "team", id });
  });
  await addMembers(request, id, wanted.members);
  const made = await getGroup({ ...request, id });
  return {
    ...made,
    status: 201,
    headers: { ...made.headers, location: toLocation(locationOf(request, `Groups/${id}`)) },
  };
}

/** A whole group, as a body has it. */
function groupIn(body: unknown) {
  const given = isObject(body) ? body : {};
  const title = textIn(given, "displayName");
  if (title === undefined) throw new ScimError(400, "A group needs a `displayName`.", "invalidValue");
  return { title, externalId: textIn(given, "externalId"), members: idsIn(memberIn(given, "members")) };
}

/** The ids of members, as a list of values has them. */
function idsIn(value: unknown): string[] {
  const ids = [value ?? []].flat().map(knownBy);
  if (ids.every((id) => typeof id === "string")) return [...new Set(ids)];
  throw new ScimError(400, "`members` is a list of objects with a `value`.", "invalidValue");
}

async function putTeam(tx: Transaction, team: TeamRecord, externalId: string | undefined, now: Date): Promise<void> {
  await putChangedTeam(tx, team, now).catch((error: unknown) => {
    throw error instanceof DuplicateError
      ? new ScimError(409, "A team has this name already: find it with a filter.", "uniqueness")
      : error;
  });
  if (externalId !== undefined) await scimGroups.put(tx, { team: team.id, externalId });
}

/** PUT: the group is as the body says. */
export async function replaceGroup(request: ScimRequest): Promise<PlainResponse> {
  const { title, externalId, members } = groupIn(request.body);
  await renameGroup(request, { title, externalId });
  await setMembers(request, members);
  return getGroup(request);
}

/** PATCH: the changes one after the other. Their answer has no body, because groups are large. */
export async function patchGroup(request: ScimRequest): Promise<PlainResponse> {
  const team = await teamOf(await request.house.kernel.store.read(request.place.partition), request.id);
  const budget = new FilterBudget();
  const changes = changesIn(request.body);
  checkReadOnly(changes, { id: team.id, meta: metaOf(team, request), schemas: SCHEMAS });
  for (const change of changes) await changeGroup(request, change, budget);
  return answer(204);
}

async function changeGroup(request: ScimRequest, { op, path, value }: Change, budget: FilterBudget): Promise<void> {
  const attribute = path.attribute.toLowerCase();
  if (attribute === "displayname" && op !== "remove")
    await renameGroup(request, { title: textIn({ displayName: value }, "displayName") });
  if (attribute === "externalid" && op !== "remove")
    await renameGroup(request, { externalId: textIn({ externalId: value }, "externalId") });
  if (attribute !== "members") return;
  if (path.filter && path.part !== undefined)
    throw new ScimError(
      400,
      "The parts of a member can't be changed: remove the member, and add another.",
      "mutability",
    );
  if (op === "add") return addMembers(request, request.id, idsIn(value));
  if (op === "replace" && path.filter) return replaceMembers(request, path.filter, idsIn(value), budget);
  if (op === "replace") return setMembers(request, idsIn(value), budget);
  return removeMembers(request, await removedBy(request, path.filter, value, budget));
}

/** Puts others in the place of the members that pass a filter. */
async function replaceMembers(
  request: ScimRequest,
  filter: Filter,
  wanted: readonly string[],
  budget: FilterBudget,
): Promise<void> {
  const now = await membersOf(await request.house.kernel.store.read(request.place.partition), request.id);
  budget.take(now, filter);
  const isMeant = (user: string) => passes({ value: user, type: "User" }, filter);
  if (!now.some(isMeant)) throw noTarget("members");
  await setMembers(request, [...now.filter((user) => !isMeant(user)), ...wanted], budget);
}

/** The members that a removal means: those of a filter, those that are named beside the path, or all. */
async function removedBy(
  { house, place, id }: ScimRequest,
  filter: Filter | undefined,
  value: unknown,
  budget: FilterBudget,
) {
  const named = filter ? demanded(filter, "value") : undefined;
  if (named !== undefined) return [named];
  if (!filter && value !== undefined && value !== null) return idsIn(value);
  const all = await membersOf(await house.kernel.store.read(place.partition), id);
  budget.take(all, filter);
  return filter ? all.filter((user) => passes({ value: user, type: "User" }, filter)) : all;
}

async function renameGroup(
  request: ScimRequest,
  { title, externalId }: { readonly title?: string | undefined; readonly externalId?: string | undefined },
): Promise<void> {
  const { house, place, id } = request;
  await house.kernel.store.write(place.partition, async (tx) => {
    const team = await teamOf(tx, id);
    await putTeam(tx, { ...team, title: title ?? team.title }, externalId, house.kernel.store.now());
    if (title !== undefined && title !== team.title)
      noteChange(request, tx, "teamProvisioned", { type: "team", id }, [{ field: "title" }]);
  });
}

async function setMembers(request: ScimRequest, wanted: readonly string[], budget = new FilterBudget()): Promise<void> {
  const { house, place, id } = request;
  const view = await house.kernel.store.read(place.partition);
  const [now, then] = [new Set(await membersOf(view, id)), new Set(wanted)];
  budget.take([...now]);
  await addMembers(
    request,
    id,
    wanted.filter((user) => !now.has(user)),
  );
  await removeMembers(
    request,
    [...now].filter((user) => !then.has(user)),
  );
}

/** How many members one commit takes. */
const AT_ONCE = 50;

function* parts(ids: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < ids.length; at += AT_ONCE) yield ids.slice(at, at + AT_ONCE);
}

/** Refuses people who are no members of the organization, before anything is changed. */
async function checkMembers(tx: Reader, ids: readonly string[]): Promise<void> {
  for (const some of parts(ids)) {
    const found = await members.getMany(
      tx,
      some.map((id) => [id]),
    );
    const unknown = some[found.indexOf(undefined)];
    if (unknown !== undefined)
      throw new ScimError(400, `No user of the organization has the id ${unknown.slice(0, 64)}.`, "invalidValue");
  }
}

async function addMembers(request: ScimRequest, team: string, ids: readonly string[]): Promise<void> {
  const { house, place } = request;
  const { store } = house.kernel;
  await checkMembers(await store.read(place.partition), ids);
  for (const some of parts(ids))
    await store.write(place.partition, async (tx) => {
      await putChangedTeam(tx, await teamOf(tx, team), store.now());
      noteChange(request, tx, "teamProvisioned", { type: "team", id: team }, [{ field: "members" }]);
      for (const user of some) {
        if (!(await members.get(tx, user)) || (await teamMembers.get(tx, team, user))) continue;
        await teamMembers.put(tx, { team, user, role: "member", joinedAt: store.now().toISOString() });
      }
    });
}

async function removeMembers(request: ScimRequest, ids: readonly string[]): Promise<void> {
  const { house, place, id } = request;
  for (const some of parts(ids))
    await house.kernel.store.write(place.partition, async (tx) => {
      await putChangedTeam(tx, await teamOf(tx, id), house.kernel.store.now());
      noteChange(request, tx, "teamProvisioned", { type: "team", id }, [{ field: "members" }]);
      for (const user of some) await teamMembers.delete(tx, id, user);
    });
}

export async function deleteGroup(request: ScimRequest): Promise<PlainResponse> {
  const { house, place, organization, id } = request;
  const { store, jobs: work } = house.kernel;
  await store.write(place.partition, async (tx) => {
    await teamOf(tx, id);
    await teams.delete(tx, id);
    await scimGroups.delete(tx, id);
    noteChange(request, tx, "teamDeprovisioned", { type: "team", id });
    await forgetDefaultTeam(tx, id);
    enqueueJob(work, place, tx, emptyTeam, { organization: organization.id, team: id });
  });
  return answer(204);
}
