// Users of SCIM are the members of an organization. Its directory decides who is a member, in which role, and who is
// disabled. Users are known everywhere, so it speaks only for addresses in e-mail domains that the organization has proven,
// and changes names and addresses only of users who belong to it alone (`isManagedByOrganization`).

import type { PlainResponse } from "../../http/plain-request";
import { enqueueJob } from "../../jobs/jobs";
import { foldText } from "../../operation/common-schemas";
import { iterateRows, readAllRows } from "../../operation/pagination";
import {
  addMember,
  getNextEpoch,
  type MemberRecord,
  members,
  removeMember,
  syncMembership,
} from "../../resources/people/members/records";
import { checkNotLastAdmin } from "../../resources/people/members/rules";
import { type ScimUserRecord, scimUsers } from "../../resources/people/members/scim-names";
import { getProvenDomains, type OrganizationRecord } from "../../resources/people/organizations/records";
import { endAccess, isManagedByOrganization, scimMadeUsers } from "../../resources/people/scim/records";
import { teamMembers, teams } from "../../resources/people/teams/records";
import { isActiveUser, type UserRecord, users } from "../../resources/people/users/records";
import { DIRECTORY, generateId } from "../../storage/ids";
import { DuplicateError } from "../../storage/records";
import type { Reader, Transaction } from "../../storage/transaction";
import { omitUndefined } from "../../utils/objects";
import { toLocation } from "../../utils/url";
import { absent, answer, CORE, listAnswer, ScimError, type Window, windowIn } from "./answers";
import { type Attributes, type Change, changed, changesIn, checkReadOnly } from "./changes";
import { demanded, type Filter, FilterBudget, hasAttribute, MAX_SEARCH_WORK, passes, readFilter } from "./filter";
import { isWanted, locationOf, noteChange, type ScimRequest, wantedOf } from "./request";
import { userAttributes, type Wanted, wantedIn } from "./user-attributes";

/** A member with everything that SCIM shows of them. */
interface Person {
  readonly member: MemberRecord;
  readonly user: UserRecord;
  readonly named: ScimUserRecord | undefined;
}

export async function listUsers(request: ScimRequest): Promise<PlainResponse> {
  const { house, place, query } = request;
  const { store } = house.kernel;
  const [tx, directory] = await Promise.all([store.read(place.partition), store.read(DIRECTORY)]);
  const window = windowIn(query);
  const given = query.get("filter");
  const { found, total } = given
    ? await filtered(tx, directory, request, readFilter(given), window)
    : await windowOf(tx, directory, window);
  return listAnswer(await Promise.all(found.map((person) => userView(tx, person, request))), total, window);
}

async function windowOf(tx: Reader, directory: Reader, { startIndex, count }: Window) {
  const shown: MemberRecord[] = [];
  let place = 0;
  for await (const { record } of iterateRows((slice) => members.list(tx, "joinedAt", slice))) {
    if (++place >= startIndex + count) break;
    if (place >= startIndex) shown.push(record);
  }
  return { found: await peopleOf(tx, directory, shown), total: await members.total(tx, "joinedAt") };
}

async function filtered(
  tx: Reader,
  directory: Reader,
  request: ScimRequest,
  filter: Filter,
  { startIndex, count }: Window,
) {
  const budget = new FilterBudget(MAX_SEARCH_WORK);
  const passing: Person[] = [];
  const add = async (people: readonly Person[]) => {
    for (const person of people) {
      const compared = await resourceOf(tx, person, request, (name) => hasAttribute(filter, name));
      budget.take(compared, filter);
      if (passes(compared, filter)) passing.push(person);
    }
  };
  const known = await demandedMembers(tx, directory, filter);
  if (known) await add(known);
  else {
    let some: MemberRecord[] = [];
    for await (const { record } of iterateRows((slice) => members.list(tx, "joinedAt", slice))) {
      some.push(record);
      if (some.length < 200) continue;
      await add(await peopleOf(tx, directory, some));
      some = [];
    }
    await add(await peopleOf(tx, directory, some));
  }
  return { found: passing.slice(startIndex - 1, startIndex - 1 + count), total: passing.length };
}

/** Those who may pass a filter that demands a name; undefined where everybody may. */
async function demandedMembers(tx: Reader, directory: Reader, filter: Filter): Promise<Person[] | undefined> {
  const id = demanded(filter, "id");
  if (id !== undefined) return peopleOf(tx, directory, await membersBy(tx, [id]));
  const userName = demanded(filter, "username");
  const email = demanded(filter, "emails.value", "emails") ?? userName;
  const externalId = demanded(filter, "externalid");
  const ids: string[] = [];
  if (userName !== undefined) ids.push((await scimUsers.find(tx, "userName", foldText(userName)))?.user ?? "");
  if (email !== undefined) ids.push((await users.find(directory, "email", foldText(email)))?.id ?? "");
  if (externalId !== undefined && ids.length === 0) {
    const rows = await scimUsers.list(tx, "externalId", { under: [externalId], limit: 100 });
    ids.push(...rows.map(({ record }) => record.user));
  } else if (ids.length === 0) return undefined;
  return peopleOf(tx, directory, await membersBy(tx, [...new Set(ids)]));
}

async function membersBy(tx: Reader, ids: readonly string[]): Promise<MemberRecord[]> {
  const found = await members.getMany(
    tx,
    ids.map((id) => [id]),
  );
  return found.filter((it) => it !== undefined);
}

async function peopleOf(tx: Reader, directory: Reader, found: readonly MemberRecord[]): Promise<Person[]> {
  const keys = found.map(({ user }) => [user]);
  const [people, named] = await Promise.all([users.getMany(directory, keys), scimUsers.getMany(tx, keys)]);
  return found.flatMap((member, i) => (people[i] ? [{ member, user: people[i], named: named[i] }] : []));
}

async function personOf(tx: Reader, directory: Reader, id: string): Promise<Person> {
  const [person] = await peopleOf(tx, directory, await membersBy(tx, [id]));
  if (!person) throw absent();
  return person;
}

/** The attributes of a person, as changes find them. */
function attributesOf({ member, user, named }: Person): Attributes {
  const { givenName, familyName } = named ?? {};
  const name = {
    ...omitUndefined({ givenName, familyName }),
  };
  return {
    userName: named?.userName ?? user.email,
    ...omitUndefined({ externalId: named?.externalId ? named.externalId : undefined }),
    active: !member.disabled,
    displayName: user.displayName,
    name: { formatted: user.displayName, ...name },
    emails: [{ value: user.email, type: named?.emailType ?? "work", primary: true }],
    roles: [{ value: member.role ?? "guest", primary: true }],
  };
}

/** A user as SCIM shows them. Only the wanted ones of the attributes that clients can't set. */
async function resourceOf(
  tx: Reader,
  person: Person,
  request: ScimRequest,
  isWanted: (attribute: string) => boolean,
): Promise<Attributes> {
  const { id } = person.user;
  return {
    ...omitUndefined({ schemas: isWanted("schemas") ? [`${CORE}:User`] : undefined }),
    id,
    ...attributesOf(person),
    ...omitUndefined({
      groups: isWanted("groups") ? await groupsOf(tx, id, request) : undefined,
      meta: isWanted("meta") ? metaOf(person, request) : undefined,
    }),
  };
}

function metaOf({ member, user }: Person, request: ScimRequest): Attributes {
  const { joinedAt: created, updatedAt = created } = member;
  // A user may be older than the membership, and changes of the name and the address are those of the user.
  const lastModified = [updatedAt, user.updatedAt ?? created].sort().at(-1)!;
  return { resourceType: "User", created, lastModified, location: locationOf(request, `Users/${user.id}`) };
}

/** The teams of a user. */
async function groupsOf(tx: Reader, user: string, request: ScimRequest): Promise<object[]> {
  const rows = await readAllRows((slice) => teamMembers.list(tx, "ofUser", { under: [user], ...slice }));
  const found = await teams.getMany(
    tx,
    rows.map(({ record }) => [record.team]),
  );
  return found.flatMap((team) =>
    team
      ? [{ value: team.id, type: "direct", display: team.title, $ref: locationOf(request, `Groups/${team.id}`) }]
      : [],
  );
}

async function userView(tx: Reader, person: Person, request: ScimRequest): Promise<object> {
  return wantedOf(request, await resourceOf(tx, person, request, (name) => isWanted(request, name)));
}

export async function getUser(request: ScimRequest): Promise<PlainResponse> {
  const { store } = request.house.kernel;
  const [tx, directory] = await Promise.all([store.read(request.place.partition), store.read(DIRECTORY)]);
  return answer(200, await userView(tx, await personOf(tx, directory, request.id), request));
}

export async function createUser(request: ScimRequest): Promise<PlainResponse> {
  const { house, place, organization, body } = request;
  const { kernel } = house;
  const wanted = wantedIn(body);
  const before = await kernel.store.read(place.partition);
  const directory = await kernel.store.read(DIRECTORY);
  if ((await holderOf(before, directory, wanted)) !== undefined) throw alreadyThere();
  checkDomain(organization, wanted.email);
  const user = await kernel.store.write(DIRECTORY, (tx) => userFor(tx, request, wanted));
  const view = await kernel.store.write(place.partition, async (tx) => {
    if (await members.get(tx, user.id)) throw alreadyThere();
    const member: MemberRecord = {
      user: user.id,
      role: wanted.role === undefined ? organization.defaultRole : wanted.role,
      disabled: !wanted.isActive,
      sso: false,
      joinedAt: kernel.store.now().toISOString(),
      lastSeenAt: null,
    };
    await addMember(tx, member);
    noteChange(request, tx, "memberProvisioned", { type: "user", id: user.id }, stateOf(member));
    enqueueJob(kernel.jobs, place, tx, syncMembership, { organization: organization.id, user: user.id });
    return userView(tx.unchecked, { member, user, named: await putName(tx, user.id, wanted) }, request);
  });
  const location = toLocation(locationOf(request, `Users/${user.id}`));
  return answer(201, view, { location });
}

/** What the audit log says of a member. */
function stateOf({ role, disabled }: MemberRecord) {
  return [
    { field: "role", value: role },
    { field: "active", value: !disabled },
  ];
}

/** The member who has the name or the address already. */
async function holderOf(tx: Reader, directory: Reader, { userName, email }: Wanted): Promise<MemberRecord | undefined> {
  const named = await scimUsers.find(tx, "userName", foldText(userName));
  const user = await users.find(directory, "email", foldText(email));
  return (await membersBy(tx, [named?.user ?? "", user?.id ?? ""]))[0];
}

function alreadyThere(): ScimError {
  return new ScimError(409, "A member has this name or address already: find them with a filter.", "uniqueness");
}

/** The directory of a company knows whose an address is, if the domain is the company's. */
function checkDomain(organization: OrganizationRecord, email: string): void {
  if (getProvenDomains(organization).includes(foldText(email).split("@").at(-1)!)) return;
  throw new ScimError(
    400,
    "The address is in none of the e-mail domains that the organization has proven: prove the domain, or invite the person.",
    "invalidValue",
  );
}

/** The user with an address, or a new one. */
async function userFor(tx: Transaction, { house, organization }: ScimRequest, wanted: Wanted): Promise<UserRecord> {
  const { store } = house.kernel;
  const known = await users.find(tx, "email", foldText(wanted.email));
  // Nobody has shown that the address is theirs, so the user may be somebody else.
  if (known?.emailUnverified)
    throw new ScimError(409, "A user claims this address without proof: they must prove or give it up.", "uniqueness");
  if (known) return known;
  const id = generateId("user", "", store.random);
  const made = { id, displayName: wanted.displayName, email: wanted.email, createdAt: store.now().toISOString() };
  await users.put(tx, made);
  await scimMadeUsers.put(tx, { user: id, organization: organization.id });
  return made;
}

/** Keeps what the directory calls a member. */
async function putName(tx: Transaction, user: string, wanted: Wanted): Promise<ScimUserRecord> {
  const { userName, externalId, givenName, familyName, emailType } = wanted;
  const named: ScimUserRecord = {
    user,
    userName,
    externalId,
    ...omitUndefined({ givenName, familyName, emailType }),
  };
  await scimUsers.put(tx, named).catch((error: unknown) => {
    throw error instanceof DuplicateError ? alreadyThere() : error;
  });
  return named;
}

/** PUT: the user is as the body says. What it does not say of roles stays. */
export function replaceUser(request: ScimRequest): Promise<PlainResponse> {
  const wanted = wantedIn(request.body);
  return changeUser(request, () => wanted);
}

/** PATCH: the user is as the changes make them. */
export async function patchUser(request: ScimRequest): Promise<PlainResponse> {
  const changes = changesIn(request.body);
  await checkChangeable(request, changes);
  return changeUser(request, (person) => {
    const { displayName, name, ...others } = attributesOf(person);
    const { formatted, ...parts } = name as Attributes;
    // A name that is made of its parts follows them.
    const isMade = displayName === [parts.givenName, parts.familyName].filter((it) => it !== undefined).join(" ");
    const before: Attributes = {
      ...others,
      name: parts,
      ...omitUndefined({ displayName: isMade ? undefined : displayName }),
    };
    const budget = new FilterBudget();
    return wantedIn(
      changes.reduce((attributes, change) => changed(attributes, change, userAttributes, budget), before),
    );
  });
}

/** Refuses changes of attributes of a user that clients can't set. */
async function checkChangeable(request: ScimRequest, changes: readonly Change[]): Promise<void> {
  const isChanged = (name: string) => changes.some(({ path }) => path.attribute.toLowerCase() === name);
  if (!["id", "meta", "groups", "schemas"].some(isChanged)) return;
  const { store } = request.house.kernel;
  const [tx, directory] = await Promise.all([store.read(request.place.partition), store.read(DIRECTORY)]);
  const person = await personOf(tx, directory, request.id);
  const { id, meta, groups, schemas } = await resourceOf(tx, person, request, () => true);
  checkReadOnly(changes, { id, meta, groups, schemas });
}

async function changeUser(request: ScimRequest, decide: (person: Person) => Wanted): Promise<PlainResponse> {
  const { house, place, id } = request;
  const { store, jobs: work } = house.kernel;
  const before = await personOf(await store.read(place.partition), await store.read(DIRECTORY), id);
  const user = await followUser(request, before.user, decide(before));
  const view = await store.write(place.partition, async (tx) => {
    const [now] = await membersBy(tx, [id]);
    if (!now) throw absent();
    // The same decision on the records as they are in this commit.
    const wanted = decide({ ...before, member: now, named: await scimUsers.get(tx, id) });
    const role = wanted.role === undefined ? now.role : wanted.role;
    const disabled = !wanted.isActive;
    if (disabled || role !== "admin") await checkNotLastAdmin(tx, now);
    const isSwitchedOff = disabled && !now.disabled;
    const updatedAt = store.now().toISOString();
    const member = { ...now, ...(isSwitchedOff ? getNextEpoch(now) : {}), role, disabled, updatedAt };
    if (role !== now.role || disabled !== now.disabled) {
      noteChange(request, tx, "memberProvisioned", { type: "user", id }, stateOf(member));
    }
    await members.put(tx, member);
    if (isSwitchedOff) enqueueJob(work, place, tx, endAccess, accessOf(request, id));
    return userView(tx.unchecked, { member, user, named: await putName(tx, id, wanted) }, request);
  });
  return answer(200, view);
}

/** The user after what differs was changed, if they belong to the organization alone. Others stay as they are. */
async function followUser(request: ScimRequest, before: UserRecord, wanted: Wanted): Promise<UserRecord> {
  const { store } = request.house.kernel;
  const changes = {
    ...omitUndefined({
      displayName: wanted.displayName === before.displayName ? undefined : wanted.displayName,
      email: wanted.email === before.email ? undefined : wanted.email,
    }),
  };
  if (Object.keys(changes).length === 0) return before;
  return store.write(DIRECTORY, async (tx) => {
    const now = await users.get(tx, before.id);
    if (!isActiveUser(now) || !(await isManagedByOrganization(tx, request.organization.id, before.id)))
      return now ?? before;
    if (changes.email !== undefined) checkDomain(request.organization, changes.email);
    const changed = { ...now, ...changes, updatedAt: store.now().toISOString() };
    await users.put(tx, changed).catch((error: unknown) => {
      throw error instanceof DuplicateError
        ? new ScimError(409, "Another user has this address.", "uniqueness")
        : error;
    });
    return changed;
  });
}

/** The sessions and tokens that a user has now. They end, also if the user is switched on again before the job runs. */
function accessOf({ house, organization }: ScimRequest, user: string) {
  return { organization: organization.id, user, until: house.kernel.store.now().toISOString() };
}

/** DELETE: the member leaves the organization. The user stays, because what they wrote does. */
export async function deleteUser(request: ScimRequest): Promise<PlainResponse> {
  const { house, place, organization, id: user } = request;
  const { store, jobs: work } = house.kernel;
  await store.write(place.partition, async (tx) => {
    const member = await members.get(tx, user);
    if (!member) throw absent();
    await checkNotLastAdmin(tx, member);
    await removeMember(tx, organization.id, user, (step, payload) => enqueueJob(work, place, tx, step, payload));
    noteChange(request, tx, "memberDeprovisioned", { type: "user", id: user });
    enqueueJob(work, place, tx, endAccess, accessOf(request, user));
  });
  return answer(204);
}
