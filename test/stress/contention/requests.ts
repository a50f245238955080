// The requests that are made at once. Where the same request could succeed only once, because a name is taken afterwards or a
// thing is gone, each is another one: for this, as many things of a kind are made beforehand. All of them are still about one
// thing: the list, the parent, or the partition that they share.

import type { OperationName } from "octavo";
import {
  allowedPerson,
  beginSession,
  type Cast,
  type Example,
  FONT,
  parkJobs,
  png,
  SPECIFICATION,
} from "../../invariants/examples";

export interface Call {
  /** A method and a path. */
  readonly ask: string;
  readonly send?: unknown;
  readonly token: string;
}

/** The call with a number, of those that are made at once. */
export type Calls = (number: number) => Call;

/** Somebody with a token. */
interface User {
  readonly id: string;
  readonly token: string;
}

/** Things that are made once, when the first operation needs them. */
export function createCrowd(cast: Cast, calls: number) {
  const { ask, askWith, api, org, otherOrg, ids, team, space, collection, site, changeRequest } = cast;
  const numbers = Array.from({ length: calls }, (_, number) => number);
  const made = new Map<string, Promise<unknown>>();
  const once =
    <T>(name: string, make: () => Promise<T>) =>
    (): Promise<T> => {
      const known = made.get(name) ?? make();
      made.set(name, known);
      return known as Promise<T>;
    };

  /** Asks as the admin, and demands a success. */
  const get = async (route: string, send?: unknown, as: Parameters<Cast["ask"]>[0] = "admin") => {
    const answer = await ask(as, route, send);
    if (answer.status >= 300) throw new Error(`${route}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const each = async <T>(make: (number: number) => Promise<T>): Promise<T[]> => {
    const all: T[] = [];
    for (const number of numbers) all.push(await make(number));
    return all;
  };
  const idOfEach = (route: string, send: (number: number) => unknown, as?: "rival") =>
    each(async (number) => (await get(route, send(number), as)).id as string);
  const pool = (name: string, ...made: Parameters<typeof idOfEach>) => once(name, () => idOfEach(...made));
  const inOrg = `/v1/orgs/${org}`;
  const inOther = `/v1/orgs/${otherOrg}`;
  const inSpace = `/v1/spaces/${space}`;
  const inChange = `${inSpace}/change-requests/${changeRequest}`;

  const provisioned = (name: string) =>
    once(name, () =>
      each(async (number): Promise<User> => {
        const token = `token-of-${name}-${number}`;
        const user = { displayName: `${name} ${number}`, email: `${name}-${number}@crowd.example` };
        return { id: (await api.provision({ user, token: { label: "test", value: token } })).user, token };
      }),
    );
  const strangers = provisioned("stranger");
  const members = once("members", async () => {
    const users = await provisioned("member")();
    const link = (await get(`POST ${inOrg}/link-invites`, { role: "edit" })).id;
    for (const { token } of users) {
      const { status } = await askWith(token, `POST ${inOrg}/invites/${link}`);
      if (status >= 300) throw new Error(`A member could not join: ${status}`);
    }
    return users;
  });
  const spaces = pool("spaces", `POST ${inOrg}/spaces`, (number) => ({ title: `Space ${number}` }));
  const parts = <T>(list: readonly T[]) =>
    Array.from({ length: Math.ceil(list.length / 20) }, (_, at) => list.slice(20 * at, 20 * at + 20));
  /** Gives all members and teams a role. */
  const granted = (name: string, at: string, role = "read") =>
    once(`granted on ${name}`, async () => {
      const users = await members();
      const given = await teams();
      for (const some of parts(users))
        await get(`POST ${at}/permissions`, { users: some.map(({ id }) => ({ id, role })) });
      for (const some of parts(given)) await get(`POST ${at}/permissions`, { teams: some.map((id) => ({ id, role })) });
      return { users, teams: given };
    });
  const teams = pool("teams", `PUT ${inOrg}/teams`, (number) => ({ title: `Team ${number}` }));
  const sites = once("sites", async () => {
    const shown = await spaces();
    return idOfEach(`POST ${inOrg}/sites`, (number) => ({ title: `Site ${number}`, spaces: [shown[number]] }));
  });
  /** A site with a section for each space, and one more. */
  const sections = (name: string) =>
    once(`sections ${name}`, async () => {
      const shown = await spaces();
      const { id } = await get(`POST ${inOrg}/sites`, { title: `Sections ${name}`, spaces: [cast.innerSpace] });
      const at = `${inOrg}/sites/${id}`;
      const first = (await get(`POST ${at}/sections`, { spaceId: cast.innerSpace, title: "First" })).id as string;
      const all = await idOfEach(`POST ${at}/sections`, (number) => ({
        spaceId: shown[number],
        title: `Section ${number}`,
      }));
      return { at, first, all };
    });
  const emptySite = once("empty site", async () => {
    const { id } = await get(`POST ${inOrg}/sites`, { title: "Sections", spaces: [cast.innerSpace] });
    const at = `${inOrg}/sites/${id}`;
    const first = (await get(`POST ${at}/sections`, { spaceId: cast.innerSpace, title: "First" })).id as string;
    return { at, first };
  });
  const groups = once("groups", async () => {
    const { at, all } = await sections("in groups")();
    const made = await idOfEach(`POST ${at}/section-groups`, (number) => ({
      title: `Group ${number}`,
      sections: [all[number]],
    }));
    return { at, all: made };
  });
  const group = once("group", async () => {
    const { at, first, all } = await sections("in one group")();
    const made = (await get(`POST ${at}/section-groups`, { title: "Group", sections: [first] })).id as string;
    for (const section of all) await get(`POST ${at}/section-groups/${made}/sections`, { sectionId: section });
    return { at, group: made, all };
  });
  const loneGroup = once("lone group", async () => {
    const { at, first, all } = await sections("beside a group")();
    const made = (await get(`POST ${at}/section-groups`, { title: "Group", sections: [first] })).id as string;
    return { at, group: made, all };
  });
  const siteSpaces = once("site-spaces", async () => {
    const { id } = await get(`POST ${inOrg}/sites`, { title: "Many", spaces: [cast.innerSpace] });
    const at = `${inOrg}/sites/${id}`;
    const shown = await spaces();
    const all = await idOfEach(`POST ${at}/site-spaces`, (number) => ({ spaceId: shown[number] }));
    for (const item of all) await get(`PATCH ${at}/site-spaces/${item}/customization`, { title: "Of its own" });
    return { at, all };
  });
  const proposals = once("proposals", async () => {
    const all = await idOfEach(`POST ${inSpace}/change-requests`, (number) => ({ subject: `Proposal ${number}` }));
    for (const [number, id] of all.entries())
      await get(`POST ${inSpace}/change-requests/${id}/content`, { changes: [insertion(`Proposed ${number}`)] });
    await get(`POST ${inSpace}/content`, { changes: [insertion("Meanwhile")] });
    return all;
  });
  const comments = (name: string, at: string) =>
    pool(`comments ${name}`, `POST ${at}/comments`, () => ({ body: { markdown: "Hm." } }));
  const replies = (name: string, at: string, comment: string) =>
    pool(`replies ${name}`, `POST ${at}/comments/${comment}/replies`, () => ({ body: { markdown: "Yes." } }));
  const invites = once("invites", async () => {
    const invited = await strangers();
    const all: { readonly id: string; readonly user: User }[] = [];
    for (const [number, user] of invited.entries()) {
      const { invites } = await get(`POST ${inOrg}/invites`, { emails: [`stranger-${number}@crowd.example`] });
      all.push({ id: invites[0].id, user });
    }
    return all;
  });
  const integrations = once("integrations", async () => {
    const names = numbers.map((number) => `crowd-${number}`);
    for (const name of names) {
      await get(`POST /v1/integrations/${name}`, {
        organization: org,
        icon: png,
        script: "export default { fetch() {} }",
      });
      await get(`PUT /v1/integrations/${name}/dev`, { tunnelUrl: "https://tunnel.example" });
    }
    return names;
  });
  const installations = once("installations", async () => {
    const all: { readonly integration: string; readonly id: string }[] = [];
    for (const integration of await integrations()) {
      const { id } = await get(`POST /v1/integrations/${integration}/installations`, { organization: org });
      all.push({ integration, id });
    }
    return all;
  });
  const placed = once("placed", async () => {
    const name = "crowd-placed";
    await get(`POST /v1/integrations/${name}`, {
      organization: org,
      icon: png,
      script: "export default { fetch() {} }",
    });
    await get(`PUT /v1/integrations/${name}/dev`, { tunnelUrl: "https://tunnel.example" });
    const { id } = await get(`POST /v1/integrations/${name}/installations`, { organization: org });
    return { at: `/v1/integrations/${name}/installations/${id}` };
  });
  const onSpace = granted("a space", inSpace, "review");
  const one = `/v1/integrations/${cast.integration}/installations/${cast.installation}`;

  return {
    ...{ numbers, inOrg, inOther, inSpace, inChange, get, members, strangers, spaces, teams, sites, sections },
    ...{ emptySite, groups, group, loneGroup, siteSpaces, proposals, invites, integrations, installations, one },
    ...{ placed },
    spaceComments: comments("on a space", inSpace),
    changeRequestComments: comments("on a change request", inChange),
    spaceReplies: replies("on a space", inSpace, cast.spaceTalk.comment),
    changeRequestReplies: replies("on a change request", inChange, cast.changeRequestTalk.comment),
    onSpace,
    onCollection: granted("a collection", `/v1/collections/${collection}`),
    onSite: granted("a site", `${inOrg}/sites/${site}`),
    inTeam: once("in a team", async () => {
      const users = await members();
      for (const { id } of users) await get(`PUT ${inOrg}/teams/${team}/members/${id}`, { role: "member" });
      return users;
    }),
    reviewers: once("reviewers", async () => {
      const { users } = await onSpace();
      for (const { id } of users) await get(`POST ${inChange}/requested-reviewers`, { users: [id] });
      return users;
    }),
    tokens: pool("tokens", "POST /v1/user/tokens", (number) => ({ label: `Token ${number}` })),
    sessions: once("sessions", async () => {
      const users = await members();
      return each(async (number) => {
        const digits = (length: number) => String(number).padStart(length, "0");
        await beginSession(cast, users[number]!.id, `b${digits(15)}`, "b".repeat(32) + digits(32));
        return beginSession(cast, ids.admin, `a${digits(15)}`, "a".repeat(32) + digits(32));
      });
    }),
    linkInvites: pool("link invites", `POST ${inOrg}/link-invites`, () => ({ role: "read" })),
    // Lists that have a limit are filled in the other organization, so that there is room for more in this one.
    providers: once("providers", () =>
      asManyAsFit(async (number) => ask("rival", `POST ${inOther}/saml`, { label: `Provider ${number}` })),
    ),
    scimTokens: once("scim tokens", () =>
      asManyAsFit(async (number) => ask("rival", `POST ${inOther}/scim-tokens`, { label: `Token ${number}` })),
    ),
    collections: pool("collections", `POST ${inOrg}/collections`, (number) => ({ title: `Collection ${number}` })),
    looseSpaces: pool("loose spaces", `POST ${inOrg}/spaces`, (number) => ({ title: `Loose ${number}` })),
    trashed: once("trashed", async () => {
      const all = await idOfEach(`POST ${inOrg}/spaces`, (number) => ({ title: `Trashed ${number}` }));
      for (const id of all) await get(`DELETE /v1/spaces/${id}`);
      return all;
    }),
    synced: once("synced", async () => {
      const all = await spaces();
      const repository = { url: "https://files.example/none.git", ref: "refs/heads/main" };
      for (const id of all) await get(`POST /v1/spaces/${id}/git/import`, repository);
      return all;
    }),
    fonts: pool("fonts", `POST ${inOther}/fonts`, (number) => font(`Font ${number}`), "rival"),
    shareLinks: pool(
      "share links",
      `POST ${inOther}/sites/${cast.foreignSite}/share-links`,
      (number) => ({ name: `Link ${number}` }),
      "rival",
    ),
    redirects: pool("redirects", `POST ${inOrg}/sites/${site}/redirects`, (number) => ({
      source: `/gone-${number}`,
      destination: { kind: "url", url: "https://example.com/new" },
    })),
    translations: once("translations", async () => {
      const all = await spaces();
      return idOfEach(`POST ${inOrg}/translations`, (number) => ({ language: "de", source: { space: all[number] } }));
    }),
    tasks: pool("tasks", `POST ${one}/tasks`, () => ({ task: { type: "sweep" }, schedule: 86_400 })),
    onSpaces: once("on spaces", async () => {
      const all = await spaces();
      const { at } = await placed();
      for (const id of all) await get(`POST ${at}/spaces`, { space: id });
      return all;
    }),
    onSites: once("on sites", async () => {
      const all = await sites();
      const { at } = await placed();
      for (const id of all) await get(`POST ${at}/sites`, { site: id });
      return all;
    }),
    foreignIntegrations: once("foreign integrations", async () => {
      const names = numbers.map((number) => `rival-${number}`);
      for (const name of names) await get(`POST /v1/integrations/${name}`, { visibility: "public" }, "rival");
      return names;
    }),
    specs: once("specs", async () => {
      const slugs = numbers.map((number) => `spec-${number}`);
      for (const slug of slugs) await get(`POST ${inOrg}/openapi`, { slug, source: { text: SPECIFICATION } });
      return slugs;
    }),
    parkedJobs: once("parked jobs", () => parkJobs(cast, calls)),
  };

  /** What a list with a limit has room for. */
  async function asManyAsFit(make: (number: number) => ReturnType<Cast["ask"]>): Promise<string[]> {
    const all: string[] = [];
    for (const number of numbers) {
      const { status, body } = await make(number);
      if (status !== 201) break;
      all.push(body.id);
    }
    return all;
  }
}

type Crowd = ReturnType<typeof createCrowd>;
type Things = readonly (string | { readonly id: string })[];
/** Many things, each with an id, and what else there is where they are. */
type Found = Things | { readonly all: Things };
/** What has many things, by its name, or how they are found. */
type Pool =
  | { [Name in keyof Crowd]: Crowd[Name] extends () => Promise<Found> ? Name : never }[keyof Crowd]
  | ((crowd: Crowd) => Promise<Found>);

function insertion(title: string) {
  return { operation: "insert_page", title, document: { markdown: `${title}.` } };
}

function font(fontFamily: string) {
  return { ...FONT, fontFamily };
}

/** A part of a call: what it does not say is as in the example of the operation. */
type Part = Partial<Call>;
type Vary = (crowd: Crowd, cast: Cast, example: Example) => Promise<(number: number) => Part>;

/** Every other one is the first, those between are the second. */
const inTurns =
  <T>(first: T, second: T) =>
  async () =>
  (number: number) => ({ send: number % 2 === 0 ? first : second });
const sends = (send: (number: number) => unknown) => async () => (number: number) => ({ send: send(number) });
/** Each sends what the example sends, with other members. */
const sendsAlso =
  (more: (number: number) => object): Vary =>
  async (_, __, { send }) =>
  (number) => ({ send: { ...(send as object), ...more(number) } });
/** Each asks for another thing of a pool, or sends it where the example does. Names in braces stand for what a thing has, for
 * what there is beside it, and for places. */
const asks =
  (pool: Pool, route?: string, { as, send }: { readonly as?: "rival"; readonly send?: object } = {}): Vary =>
  async (crowd, cast, example) => {
    const found: Found = await (typeof pool === "string" ? crowd[pool]() : pool(crowd));
    const { all, ...beside } = "all" in found ? found : { all: found };
    const token = as && { token: cast.tokens[as] };
    const { inOrg, inOther, inSpace, inChange, one } = crowd;
    const { org, team, collection, foreignSite, spaceTalk, changeRequestTalk } = cast;
    const places = {
      ...{
        inOrg,
        inOther,
        inSpace,
        inChange,
        one,
        onSite: `/v1/orgs/${org}/sites/${cast.site}`,
        org,
        team,
        foreignSite,
      },
      ...{ collection, spaceComment: spaceTalk.comment, changeRequestComment: changeRequestTalk.comment, ...beside },
    };
    return (number) => {
      const it = all[number % all.length]!;
      const names: Readonly<Record<string, unknown>> = {
        ...{ ...places, number },
        ...(typeof it === "string" ? { id: it } : it),
      };
      const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name) => String(names[name]));
      return {
        ask: fill(route ?? example.ask),
        ...(send ? { send: JSON.parse(fill(JSON.stringify(send))) } : {}),
        ...token,
      };
    };
  };
/** The spaces, to be put on a site. */
const toEmptySite = async (crowd: Crowd) => ({ ...(await crowd.emptySite()), all: await crowd.spaces() });
/** Each is sent by another user. */
const asEach =
  (pool: (crowd: Crowd) => Promise<readonly User[]>): Vary =>
  async (crowd) => {
    const all = await pool(crowd);
    return (number) => ({ token: all[number]!.token });
  };
/** A reaction of its own. */
const reaction = (number: number) => ({ addedReactions: [(0x1f600 + number).toString(16)] });

const variations: Partial<Record<OperationName, Vary>> = {
  eraseCurrentUser: asEach((crowd) => crowd.members()),
  leaveOrganizations: asEach((crowd) => crowd.members()),
  revokeToken: asks("tokens", "DELETE /v1/user/tokens/{id}"),
  endSession: asks("sessions", "DELETE /v1/user/sessions/{id}"),
  async endSessions(crowd) {
    await crowd.sessions();
    const users = await crowd.members();
    return (number) => ({ token: users[number]!.token });
  },
  createOrganization: sends((number) => ({
    title: `New ${number}`,
    hostname: `brand-new-${number}`,
    emailDomains: [`new-${number}.example`],
  })),
  updateOrganization: sends((number) => ({
    title: `Changed ${number}`,
    hostname: `changed-${number}`,
    emailDomains: [`changed-${number}.example`],
  })),
  makeMemberSso: asks("members", "POST {inOrg}/members/{id}/sso"),
  removeMember: asks("members", "DELETE {inOrg}/members/{id}"),
  updateMember: inTurns({ role: "edit" }, { role: "comment" }),
  async acceptInvite(crowd) {
    const all = await crowd.invites();
    return (number) => ({ ask: `POST ${crowd.inOrg}/invites/${all[number]!.id}`, token: all[number]!.user.token });
  },
  deleteEmailInvite: asks("invites", "DELETE {inOrg}/invites/{id}"),
  deleteLinkInvite: asks("linkInvites", "DELETE {inOrg}/link-invites/{id}"),
  inviteByEmail: sends((number) => ({ emails: [`new-${number}@example.com`] })),
  updateLinkInvite: inTurns({ role: "edit" }, { role: "read" }),
  createTeam: sendsAlso((number) => ({ title: `New ${number}` })),
  deleteTeam: asks("teams", "DELETE {inOrg}/teams/{id}"),
  removeTeamMember: asks("inTeam", "DELETE {inOrg}/teams/{team}/members/{id}"),
  setTeamMember: asks("members", "PUT {inOrg}/teams/{team}/members/{id}"),
  updateTeam: sends((number) => ({ title: `Changed ${number}` })),
  updateTeamMembers: asks("members", undefined, { send: { add: ["{id}"] } }),
  createSamlProvider: sendsAlso((number) => ({ label: `New ${number}` })),
  updateSamlProvider: sends((number) => ({ label: `Changed ${number}` })),
  deleteSamlProvider: asks("providers", "DELETE {inOther}/saml/{id}", { as: "rival" }),
  createScimToken: sends((number) => ({ label: `New ${number}` })),
  revokeScimToken: asks("scimTokens", "DELETE {inOther}/scim-tokens/{id}", { as: "rival" }),
  deleteCollection: asks("collections", "DELETE /v1/collections/{id}"),
  async moveCollection(crowd, { space }) {
    const [neighbour] = await crowd.spaces();
    return (number) => ({
      send: { position: { after: { type: "space", space: number % 2 === 0 ? space : neighbour } } },
    });
  },
  async moveSpace(crowd, { space, innerSpace, collection }) {
    const [neighbour] = await crowd.spaces();
    const [inside, outside] = [
      { parent: collection, position: { before: { type: "space", space: innerSpace } } },
      { parent: null, position: { before: { type: "space", space: neighbour } } },
    ];
    return (number) => ({ ask: `POST /v1/spaces/${space}/move`, send: number % 2 === 0 ? inside : outside });
  },
  transferCollection: asks("collections", "POST /v1/collections/{id}/transfer"),
  updateCollection: sends((number) => ({ title: `Changed ${number}` })),
  deleteSpace: asks("looseSpaces", "DELETE /v1/spaces/{id}"),
  restoreSpace: asks("trashed", "POST /v1/spaces/{id}/restore"),
  transferSpace: asks("looseSpaces", "POST /v1/spaces/{id}/transfer"),
  updateSpace: sends((number) => ({ title: `Changed ${number}` })),
  changeContent: sends((number) => ({ changes: [insertion(`New ${number}`)] })),
  changeChangeRequestContent: sends((number) => ({ changes: [insertion(`New ${number}`)] })),
  createChangeRequest: sends((number) => ({ subject: `New ${number}` })),
  mergeChangeRequest: asks("proposals", "POST {inSpace}/change-requests/{id}/merge"),
  updateFromSpace: asks("proposals", "POST {inSpace}/change-requests/{id}/update"),
  requestReviewers: asks(async (crowd) => (await crowd.onSpace()).users, undefined, { send: { users: ["{id}"] } }),
  removeRequestedReviewer: asks("reviewers", "DELETE {inChange}/requested-reviewers/{id}"),
  reviewChangeRequest: inTurns({ status: "approved" }, { status: "changes-requested" }),
  updateChangeRequest: sends((number) => ({ subject: `Changed ${number}` })),
  removeGitSync: asks("synced", "DELETE /v1/spaces/{id}/git/legacy-installation"),
  updateSpaceComment: sends(reaction),
  updateSpaceCommentReply: sends(reaction),
  updateChangeRequestComment: sends(reaction),
  updateChangeRequestCommentReply: sends(reaction),
  deleteSpaceComment: asks("spaceComments", "DELETE {inSpace}/comments/{id}"),
  deleteChangeRequestComment: asks("changeRequestComments", "DELETE {inChange}/comments/{id}"),
  deleteSpaceCommentReply: asks("spaceReplies", "DELETE {inSpace}/comments/{spaceComment}/replies/{id}"),
  deleteChangeRequestCommentReply: asks(
    "changeRequestReplies",
    "DELETE {inChange}/comments/{changeRequestComment}/replies/{id}",
  ),
  addSectionToGroup: asks("loneGroup", "POST {at}/section-groups/{group}/sections", { send: { sectionId: "{id}" } }),
  removeSectionFromGroup: asks("group", "DELETE {at}/section-groups/{group}/sections/{id}"),
  createFont: sends((number) => font(`New ${number}`)),
  deleteFont: asks("fonts", "DELETE {inOther}/fonts/{id}", { as: "rival" }),
  createShareLink: sends((number) => ({ name: `New ${number}` })),
  deleteShareLink: asks("shareLinks", "DELETE {inOther}/sites/{foreignSite}/share-links/{id}", { as: "rival" }),
  updateShareLink: sends((number) => ({ name: `Changed ${number}` })),
  createSite: sendsAlso((number) => ({ title: `New ${number}` })),
  deleteSite: asks("sites", "DELETE {inOrg}/sites/{id}"),
  createSiteRedirect: sendsAlso((number) => ({ source: `/older-${number}` })),
  createSiteRedirects: sends((number) => ({
    redirects: ["a", "b"].map((name) => ({
      source: `/older-${number}-${name}`,
      destination: { kind: "url", url: "https://example.com" },
    })),
  })),
  deleteSiteRedirect: asks("redirects", "DELETE {onSite}/redirects/{id}"),
  createSiteSection: asks(toEmptySite, "POST {at}/sections", { send: { spaceId: "{id}", title: "New {number}" } }),
  deleteSiteSection: asks((crowd) => crowd.sections("to be deleted")(), "DELETE {at}/sections/{id}"),
  createSiteSectionGroup: asks((crowd) => crowd.sections("to be grouped")(), "POST {at}/section-groups", {
    send: { title: "New {number}", sections: ["{id}"] },
  }),
  deleteSiteSectionGroup: asks("groups", "DELETE {at}/section-groups/{id}"),
  createSiteSpace: asks(toEmptySite, "POST {at}/site-spaces", { send: { spaceId: "{id}", sectionId: "{first}" } }),
  deleteSiteSpace: asks("siteSpaces", "DELETE {at}/site-spaces/{id}"),
  resetSiteSpaceCustomization: asks("siteSpaces", "DELETE {at}/site-spaces/{id}/customization"),
  moveSiteSection: asks((crowd) => crowd.sections("to be moved")(), "POST {at}/sections/{first}/move", {
    send: { position: { after: { type: "site-section", siteSection: "{id}" } } },
  }),
  sortSiteStructure: asks((crowd) => crowd.sections("to be moved")(), "PATCH {at}/structure/sort", {
    send: {
      item: { type: "site-section", id: "{first}" },
      position: { after: { type: "site-section", id: "{id}" } },
    },
  }),
  moveSiteSectionGroup: asks("loneGroup", "POST {at}/section-groups/{group}/move", {
    send: { position: { before: { type: "site-section", id: "{id}" } } },
  }),
  async moveSiteSpace(crowd) {
    const { at, all } = await crowd.siteSpaces();
    return (number) => ({
      ask: `POST ${at}/site-spaces/${all[0]}/move`,
      send: { position: { after: { type: "site-space", siteSpace: all[1 + (number % (all.length - 1))] } } },
    });
  },
  updateSiteSection: sends((number) => ({ title: `Changed ${number}` })),
  updateSiteSectionGroup: sends((number) => ({ title: `Changed ${number}` })),
  updateSiteSpace: sends((number) => ({ path: `changed-${number}` })),
  updateSite: sendsAlso((number) => ({ title: `Handbook ${number}` })),
  removeUserGrantOnSite: asks(async (crowd) => (await crowd.onSite()).users, "DELETE {onSite}/permissions/users/{id}"),
  removeTeamGrantOnSite: asks(async (crowd) => (await crowd.onSite()).teams, "DELETE {onSite}/permissions/teams/{id}"),
  removeUserGrantOnSpace: asks(
    async (crowd) => (await crowd.onSpace()).users,
    "DELETE {inSpace}/permissions/users/{id}",
  ),
  removeTeamGrantOnSpace: asks(
    async (crowd) => (await crowd.onSpace()).teams,
    "DELETE {inSpace}/permissions/teams/{id}",
  ),
  removeUserGrantOnCollection: asks(
    async (crowd) => (await crowd.onCollection()).users,
    "DELETE /v1/collections/{collection}/permissions/users/{id}",
  ),
  removeTeamGrantOnCollection: asks(
    async (crowd) => (await crowd.onCollection()).teams,
    "DELETE /v1/collections/{collection}/permissions/teams/{id}",
  ),
  ...Object.fromEntries(
    ["Space", "Collection", "Site"].flatMap((place) => {
      const roles = inTurns({ role: "comment" }, { role: "read" });
      return [
        [`updateUserGrantOn${place}`, roles],
        [`updateTeamGrantOn${place}`, roles],
        [`grantOn${place}`, asks("members", undefined, { send: { users: [{ id: "{id}", role: "edit" }] } })],
      ];
    }),
  ),
  createTranslation: asks("spaces", undefined, { send: { language: "fr", source: { space: "{id}" } } }),
  deleteTranslation: asks("translations", "DELETE {inOrg}/translations/{id}"),
  cancelTask: asks("tasks", "DELETE {one}/tasks/{id}"),
  installIntegration: asks("foreignIntegrations", "POST /v1/integrations/{id}/installations", {
    send: { organization: "{org}" },
  }),
  installOnSite: asks("sites", undefined, { send: { siteId: "{id}" } }),
  installOnSpace: asks("spaces", undefined, { send: { spaceId: "{id}" } }),
  uninstallFromSite: asks(
    async (crowd) => ({ ...(await crowd.placed()), all: await crowd.onSites() }),
    "DELETE {at}/sites/{id}",
  ),
  uninstallFromSpace: asks(
    async (crowd) => ({ ...(await crowd.placed()), all: await crowd.onSpaces() }),
    "DELETE {at}/spaces/{id}",
  ),
  uninstallIntegration: asks("installations", "DELETE /v1/integrations/{integration}/installations/{id}"),
  unpublishIntegration: asks("integrations", "DELETE /v1/integrations/{id}"),
  publishIntegration: async () => (number) => ({ ask: `POST /v1/integrations/new-${number}` }),
  stopDevelopment: asks("integrations", "DELETE /v1/integrations/{id}/dev"),
  updateInstallation: sends((number) => ({ configuration: { a: number } })),
  updateSpaceInstallation: sends((number) => ({ externalIds: [`x-${number}`] })),
  updateSiteInstallation: sends((number) => ({ externalIds: [`x-${number}`] })),
  createOpenApiSpec: sendsAlso((number) => ({ slug: `other-${number}` })),
  putOpenApiSpec: sends((number) => ({ source: { text: `${SPECIFICATION}tags: [{ name: 't${number}' }]\n` } })),
  updateOpenApiSpec: inTurns({ visibility: "private" }, { visibility: "public" }),
  deleteOpenApiSpec: asks("specs", "DELETE {inOrg}/openapi/{id}"),
  retryJob: asks("parkedJobs", "POST {inOrg}/jobs/{id}/retry"),
};

/** The calls of an operation. What they are about is made now. */
export async function callsOf(name: OperationName, example: Example, cast: Cast, crowd: Crowd): Promise<Calls> {
  const part = await variations[name]?.(crowd, cast, example);
  const token = cast.tokens[allowedPerson(example)];
  return (number) => {
    const given = part?.(number) ?? {};
    const { ask = example.ask } = given;
    const send = "send" in given ? given.send : example.send;
    return { ask, token: given.token ?? token, ...(send === undefined ? {} : { send }) };
  };
}
