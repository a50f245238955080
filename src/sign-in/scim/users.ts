// The users of SCIM are the members of an organization. Its directory decides who is a member, in which role, and who is
// disabled. Users exist across organizations, so a directory provisions only addresses in e-mail domains that the organization
// has proven, and changes names and addresses only of users who belong to it alone (`isManagedByOrganization`).

import type { PlainResponse } from "../../http/plain-request";
import { enqueueJob } from "../../jobs/jobs";
import { foldText } from "../../operation/common-schemas";
import { iterateRows, readAllRows } from "../../operation/pagination";
import { rejectDuplicates } from "../../operation/reject-duplicates";
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
import type { Reader, Transaction } from "../../storage/transaction";
import { omitUndefined } from "../../utils/objects";
import { toLocation } from "../../utils/url";
import {
  FilterBudget,
  findRequiredValue,
  hasAttribute,
  MAX_SEARCH_WORK,
  matchesFilter,
  parseFilter,
  type ScimFilter,
} from "./filter";
import { parseScimUser, type ScimUserInput, userAttributes } from "./parse-user";
import { applyPatchOperation, checkReadOnly, parsePatchOperations, type ScimAttributes } from "./patch";
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

/** A member with all records that SCIM reads. */
interface ProvisionedUser {
  readonly member: MemberRecord;
  readonly user: UserRecord;
  readonly scimUser: ScimUserRecord | undefined;
}

/** The number of members that a search loads at once. */
const SEARCH_BATCH = 200;

export async function listUsers(request: ScimRequest): Promise<PlainResponse> {
  const { context, place, query } = request;
  const { store } = context.kernel;
  const [tx, directory] = await Promise.all([store.read(place.partition), store.read(DIRECTORY)]);
  const { startIndex, count } = parseListRange(query);
  const filterText = query.get("filter");
  let page: readonly ProvisionedUser[];
  let total: number;
  if (filterText) {
    const filter = parseFilter(filterText);
    const budget = new FilterBudget(MAX_SEARCH_WORK);
    const matches: ProvisionedUser[] = [];
    const addMatches = async (candidates: readonly ProvisionedUser[]) => {
      for (const candidate of candidates) {
        const resource = await buildUserResource(tx, candidate, request, (name) => hasAttribute(filter, name));
        budget.take(resource, filter);
        if (matchesFilter(resource, filter)) matches.push(candidate);
      }
    };
    const candidates = await findCandidates(tx, directory, filter);
    if (candidates) await addMatches(candidates);
    else {
      let batch: MemberRecord[] = [];
      for await (const { record } of iterateRows((slice) => members.list(tx, "joinedAt", slice))) {
        batch.push(record);
        if (batch.length < SEARCH_BATCH) continue;
        await addMatches(await loadProvisionedUsers(tx, directory, batch));
        batch = [];
      }
      await addMatches(await loadProvisionedUsers(tx, directory, batch));
    }
    page = matches.slice(startIndex - 1, startIndex - 1 + count);
    total = matches.length;
  } else {
    const records: MemberRecord[] = [];
    let index = 0;
    for await (const { record } of iterateRows((slice) => members.list(tx, "joinedAt", slice))) {
      if (++index >= startIndex + count) break;
      if (index >= startIndex) records.push(record);
    }
    page = await loadProvisionedUsers(tx, directory, records);
    total = await members.total(tx, "joinedAt");
  }
  const resources = await Promise.all(page.map((user) => renderUser(tx, user, request)));
  return createListResponse(resources, total, startIndex);
}

/** Finds the members who may match a filter by an index. Returns undefined if all members have to be compared. */
async function findCandidates(
  tx: Reader,
  directory: Reader,
  filter: ScimFilter,
): Promise<ProvisionedUser[] | undefined> {
  const id = findRequiredValue(filter, "id");
  if (id !== undefined) return loadProvisionedUsers(tx, directory, await loadMembers(tx, [id]));
  const userName = findRequiredValue(filter, "username");
  const email = findRequiredValue(filter, "emails.value", "emails") ?? userName;
  const externalId = findRequiredValue(filter, "externalid");
  const ids: string[] = [];
  if (userName !== undefined) ids.push((await scimUsers.find(tx, "userName", foldText(userName)))?.user ?? "");
  if (email !== undefined) ids.push((await users.find(directory, "email", foldText(email)))?.id ?? "");
  if (externalId !== undefined && ids.length === 0) {
    const rows = await scimUsers.list(tx, "externalId", { under: [externalId], limit: 100 });
    ids.push(...rows.map(({ record }) => record.user));
  } else if (ids.length === 0) return undefined;
  return loadProvisionedUsers(tx, directory, await loadMembers(tx, [...new Set(ids)]));
}

async function loadMembers(tx: Reader, ids: readonly string[]): Promise<MemberRecord[]> {
  return (await members.getMany(tx, ids)).filter((it) => it !== undefined);
}

async function loadProvisionedUsers(
  tx: Reader,
  directory: Reader,
  memberRecords: readonly MemberRecord[],
): Promise<ProvisionedUser[]> {
  const ids = memberRecords.map(({ user }) => user);
  const [userRecords, scimUserRecords] = await Promise.all([users.getMany(directory, ids), scimUsers.getMany(tx, ids)]);
  return memberRecords.flatMap((member, i) => {
    const user = userRecords[i];
    return user ? [{ member, user, scimUser: scimUserRecords[i] }] : [];
  });
}

async function loadProvisionedUser(tx: Reader, directory: Reader, id: string): Promise<ProvisionedUser> {
  const [provisionedUser] = await loadProvisionedUsers(tx, directory, await loadMembers(tx, [id]));
  if (!provisionedUser) throw createNotFoundError();
  return provisionedUser;
}

/** Returns the attributes of a user that clients can set, to which patch operations are applied. */
function getUserAttributes({ member, user, scimUser }: ProvisionedUser): ScimAttributes {
  const { givenName, familyName } = scimUser ?? {};
  return {
    userName: scimUser?.userName ?? user.email,
    ...omitUndefined({ externalId: scimUser?.externalId ? scimUser.externalId : undefined }),
    active: !member.disabled,
    displayName: user.displayName,
    name: { formatted: user.displayName, ...omitUndefined({ givenName, familyName }) },
    emails: [{ value: user.email, type: scimUser?.emailType ?? "work", primary: true }],
    roles: [{ value: member.role ?? "guest", primary: true }],
  };
}

/** Returns the resource of a user. The attributes that clients can't set are only included if they are needed. */
async function buildUserResource(
  tx: Reader,
  provisionedUser: ProvisionedUser,
  request: ScimRequest,
  isNeeded: (attribute: string) => boolean,
): Promise<ScimAttributes> {
  const { member, user } = provisionedUser;
  const listGroups = async () => {
    const rows = await readAllRows((slice) => teamMembers.list(tx, "ofUser", { under: [user.id], ...slice }));
    const ids = rows.map(({ record }) => record.team);
    const records = await teams.getMany(tx, ids);
    return records.flatMap((team) =>
      team
        ? [{ value: team.id, type: "direct", display: team.title, $ref: getResourceUrl(request, `Groups/${team.id}`) }]
        : [],
    );
  };
  const getMeta = () => {
    const { joinedAt: created, updatedAt = created } = member;
    // The user may be older than the membership, and changes of the name and the address are recorded at the user.
    const lastModified = [updatedAt, user.updatedAt ?? created].sort().at(-1)!;
    return { resourceType: "User", created, lastModified, location: getResourceUrl(request, `Users/${user.id}`) };
  };
  return {
    ...omitUndefined({ schemas: isNeeded("schemas") ? [`${CORE_SCHEMA}:User`] : undefined }),
    id: user.id,
    ...getUserAttributes(provisionedUser),
    ...omitUndefined({
      groups: isNeeded("groups") ? await listGroups() : undefined,
      meta: isNeeded("meta") ? getMeta() : undefined,
    }),
  };
}

async function renderUser(tx: Reader, provisionedUser: ProvisionedUser, request: ScimRequest): Promise<object> {
  const isNeeded = (name: string) => isRequestedAttribute(request, name);
  return selectAttributes(request, await buildUserResource(tx, provisionedUser, request, isNeeded));
}

export async function getUser(request: ScimRequest): Promise<PlainResponse> {
  const { store } = request.context.kernel;
  const [tx, directory] = await Promise.all([store.read(request.place.partition), store.read(DIRECTORY)]);
  const provisionedUser = await loadProvisionedUser(tx, directory, request.id);
  return createScimResponse(200, await renderUser(tx, provisionedUser, request));
}

export async function createUser(request: ScimRequest): Promise<PlainResponse> {
  const { context, place, organization, body } = request;
  const { kernel } = context;
  const input = parseScimUser(body);
  const before = await kernel.store.read(place.partition);
  const directory = await kernel.store.read(DIRECTORY);

  // A member who already has the name or the address is refused before a user is created.
  const sameName = await scimUsers.find(before, "userName", foldText(input.userName));
  const sameEmail = await users.find(directory, "email", foldText(input.email));
  if ((await loadMembers(before, [sameName?.user ?? "", sameEmail?.id ?? ""])).length > 0)
    throw createDuplicateUserError();
  checkProvenDomain(organization, input.email);

  const user = await kernel.store.write(DIRECTORY, async (tx): Promise<UserRecord> => {
    const existing = await users.find(tx, "email", foldText(input.email));
    // An unverified address may belong to somebody else than the user who claims it.
    if (existing?.emailUnverified)
      throw new ScimError(
        409,
        "A user claims this address without proof: they must prove or give it up.",
        "uniqueness",
      );
    if (existing) return existing;
    const { displayName, email } = input;
    const id = generateId("user", "", kernel.store.random);
    const created = { id, displayName, email, createdAt: kernel.store.now().toISOString() };
    await users.put(tx, created);
    await scimMadeUsers.put(tx, { user: id, organization: organization.id });
    return created;
  });
  const resource = await kernel.store.write(place.partition, async (tx) => {
    if (await members.get(tx, user.id)) throw createDuplicateUserError();
    const member: MemberRecord = {
      user: user.id,
      role: input.role === undefined ? organization.defaultRole : input.role,
      disabled: !input.isActive,
      sso: false,
      joinedAt: kernel.store.now().toISOString(),
      lastSeenAt: null,
    };
    await addMember(tx, member);
    recordProvisioning(request, tx, "memberProvisioned", { type: "user", id: user.id }, getAuditedState(member));
    enqueueJob(kernel.jobs, place, tx, syncMembership, { organization: organization.id, user: user.id });
    const scimUser = await putScimUser(tx, user.id, input);
    return renderUser(tx.unchecked, { member, user, scimUser }, request);
  });
  const location = toLocation(getResourceUrl(request, `Users/${user.id}`));
  return createScimResponse(201, resource, { location });
}

function getAuditedState({ role, disabled }: MemberRecord) {
  return [
    { field: "role", value: role },
    { field: "active", value: !disabled },
  ];
}

function createDuplicateUserError(): ScimError {
  return new ScimError(409, "A member has this name or address already: find them with a filter.", "uniqueness");
}

/** Refuses addresses of other domains: the directory of a company can only tell who owns an address of its own domain. */
function checkProvenDomain(organization: OrganizationRecord, email: string): void {
  if (getProvenDomains(organization).includes(foldText(email).split("@").at(-1)!)) return;
  throw new ScimError(
    400,
    "The address is in none of the e-mail domains that the organization has proven: prove the domain, or invite the person.",
    "invalidValue",
  );
}

/** Stores the names by which the directory knows a member. */
async function putScimUser(
  tx: Transaction,
  user: string,
  { userName, externalId, givenName, familyName, emailType }: ScimUserInput,
): Promise<ScimUserRecord> {
  const scimUser: ScimUserRecord = {
    user,
    userName,
    externalId,
    ...omitUndefined({ givenName, familyName, emailType }),
  };
  await rejectDuplicates(scimUsers.put(tx, scimUser), createDuplicateUserError());
  return scimUser;
}

/** PUT: replaces the user by the body. Roles that the body doesn't name are kept. */
export function replaceUser(request: ScimRequest): Promise<PlainResponse> {
  const input = parseScimUser(request.body);
  return updateUser(request, () => input);
}

/** PATCH: applies patch operations to the user. */
export async function patchUser(request: ScimRequest): Promise<PlainResponse> {
  const operations = parsePatchOperations(request.body);
  const isPatched = (name: string) => operations.some(({ path }) => path.attribute.toLowerCase() === name);
  // The user is only loaded for this check if an operation names a read-only attribute.
  if (["id", "meta", "groups", "schemas"].some(isPatched)) {
    const { store } = request.context.kernel;
    const [tx, directory] = await Promise.all([store.read(request.place.partition), store.read(DIRECTORY)]);
    const provisionedUser = await loadProvisionedUser(tx, directory, request.id);
    const { id, meta, groups, schemas } = await buildUserResource(tx, provisionedUser, request, () => true);
    checkReadOnly(operations, { id, meta, groups, schemas });
  }
  return updateUser(request, (provisionedUser) => {
    const { displayName, name, ...others } = getUserAttributes(provisionedUser);
    const { formatted, ...nameParts } = name as ScimAttributes;
    // A display name that consists of the parts of the name follows their changes.
    const fullName = [nameParts.givenName, nameParts.familyName].filter((it) => it !== undefined).join(" ");
    const before: ScimAttributes = {
      ...others,
      name: nameParts,
      ...omitUndefined({ displayName: displayName === fullName ? undefined : displayName }),
    };
    const budget = new FilterBudget();
    const after = operations.reduce(
      (attributes, operation) => applyPatchOperation(attributes, operation, userAttributes, budget),
      before,
    );
    return parseScimUser(after);
  });
}

/** Updates a user and their membership. `decide` returns the new state for the current one, and may run twice. */
async function updateUser(
  request: ScimRequest,
  decide: (provisionedUser: ProvisionedUser) => ScimUserInput,
): Promise<PlainResponse> {
  const { context, place, organization, id } = request;
  const { store, jobs } = context.kernel;
  const before = await loadProvisionedUser(await store.read(place.partition), await store.read(DIRECTORY), id);
  // The name and address are only updated if the user belongs to the organization alone.
  const { displayName, email } = decide(before);
  const changes = omitUndefined({
    displayName: displayName === before.user.displayName ? undefined : displayName,
    email: email === before.user.email ? undefined : email,
  });
  let { user } = before;
  if (Object.keys(changes).length > 0)
    user = await store.write(DIRECTORY, async (tx) => {
      const current = await users.get(tx, user.id);
      if (!isActiveUser(current) || !(await isManagedByOrganization(tx, organization.id, user.id)))
        return current ?? user;
      if (changes.email !== undefined) checkProvenDomain(organization, changes.email);
      const updated = { ...current, ...changes, updatedAt: store.now().toISOString() };
      const duplicateError = new ScimError(409, "Another user has this address.", "uniqueness");
      await rejectDuplicates(users.put(tx, updated), duplicateError);
      return updated;
    });
  const resource = await store.write(place.partition, async (tx) => {
    const [current] = await loadMembers(tx, [id]);
    if (!current) throw createNotFoundError();
    // The decision is repeated for the records of this commit.
    const input = decide({ ...before, member: current, scimUser: await scimUsers.get(tx, id) });
    const role = input.role === undefined ? current.role : input.role;
    const disabled = !input.isActive;
    if (disabled || role !== "admin") await checkNotLastAdmin(tx, current);
    const isNewlyDisabled = disabled && !current.disabled;
    const updatedAt = store.now().toISOString();
    const epoch = isNewlyDisabled ? getNextEpoch(current) : {};
    const member = { ...current, ...epoch, role, disabled, updatedAt };
    if (role !== current.role || disabled !== current.disabled)
      recordProvisioning(request, tx, "memberProvisioned", { type: "user", id }, getAuditedState(member));
    await members.put(tx, member);
    if (isNewlyDisabled) enqueueJob(jobs, place, tx, endAccess, getEndAccessPayload(request, id));
    const scimUser = await putScimUser(tx, id, input);
    return renderUser(tx.unchecked, { member, user, scimUser }, request);
  });
  return createScimResponse(200, resource);
}

/** Returns the payload that ends the sessions and tokens of now, even if the user is enabled again before the job runs. */
function getEndAccessPayload({ context, organization }: ScimRequest, user: string) {
  return { organization: organization.id, user, until: context.kernel.store.now().toISOString() };
}

/** DELETE: removes the member from the organization. The user stays, because their contributions do. */
export async function deleteUser(request: ScimRequest): Promise<PlainResponse> {
  const { context, place, organization, id: user } = request;
  const { store, jobs } = context.kernel;
  await store.write(place.partition, async (tx) => {
    const member = await members.get(tx, user);
    if (!member) throw createNotFoundError();
    await checkNotLastAdmin(tx, member);
    await removeMember(tx, organization.id, user, (step, payload) => enqueueJob(jobs, place, tx, step, payload));
    recordProvisioning(request, tx, "memberDeprovisioned", { type: "user", id: user });
    enqueueJob(jobs, place, tx, endAccess, getEndAccessPayload(request, user));
  });
  return createScimResponse(204);
}
