// One good request for every operation, who may make it, and what everybody else is told. The type demands a row for each
// operation, so a new one cannot be forgotten.

import LZString from "lz-string";
import type { OperationName, Translator } from "octavo";
import { TranslatorError } from "octavo/translators";
import { getApiInternals } from "../../src/api/internals";
import { type SessionRecord, sessions } from "../../src/resources/people/sessions/records";
import { DIRECTORY } from "../../src/storage/ids";
import { encodeKey } from "../../src/storage/key";
import { parrot } from "../resources/content/ask";
import { rsaCertificate } from "../resources/people/certificates";
import { DAY, type Person, type Setting } from "../support/setting";
import { audienceExamples, gatherAudience } from "./audience-examples";
import { allow, type Example, exceptFor, type Matrix } from "./example";
import { assemble, assembleForeign, structureExamples } from "./site-examples";

/** The setting with one of everything in it, as `prepare` makes it: what is foreign is of the other organization, and `space`
 * is closed to everybody who was not given anything on it. Guests and the writers' team were. */
export type Cast = Awaited<ReturnType<typeof prepare>>;

/** Writes a comment of the editor's, and a reply of theirs. */
async function talk({ ask }: Setting, at: string) {
  const comment = (await ask("edit", `POST ${at}/comments`, { body: { markdown: "Hm." } })).body.id as string;
  const reply = (await ask("edit", `POST ${at}/comments/${comment}/replies`, { body: { markdown: "Yes." } })).body
    .id as string;
  return { comment, reply };
}

/** Writes one of everything that a space can hold. Of what is read at a URL, the path of the URL is given. */
async function fill({ ask }: Setting, as: Person, space: string) {
  const changes = [
    { operation: "insert_reusable_content", title: "Note", document: { markdown: "Mind the gap." } },
    {
      operation: "insert_files",
      files: [{ name: "a.txt", contentType: "text/plain", base64: btoa("Hello"), ref: "file" }],
    },
    { operation: "insert_page", title: "Start", document: { markdown: "[A file](./file), a word: xylophone." } },
  ];
  const { body } = await ask(as, `POST /v1/spaces/${space}/content`, { changes });
  const file = body.insertedFiles[0].id as string;
  const { downloadURL } = (await ask(as, `GET /v1/spaces/${space}/content/files/${file}`)).body;
  const { url } = (await ask(as, `GET /v1/spaces/${space}/pdf`)).body;
  const page = body.changes[1].page.id as string;
  return {
    page,
    document: (await ask(as, `GET /v1/spaces/${space}/content/page/${page}`)).body.documentId as string,
    file,
    reusable: body.changes[0].reusableContent as string,
    revision: body.revision as string,
    download: new URL(downloadURL).pathname,
    pdf: new URL(url).pathname,
  };
}

/** A picture of one pixel. */
export const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/** A specification that holds next to nothing. */
export const FONT = {
  fontFamily: "Acme Sans",
  fontFaces: [{ weight: 400, sources: [{ url: "https://example.com/sans.woff2" }] }],
};
export const SPECIFICATION = "openapi: 3.1.0\ninfo: { title: Pets, version: '1' }\npaths: {}\n";

export { allowedPerson, type Example } from "./example";
export { parrot };

/** Something to import: one of its images is not there. */
const guide = { url: "https://files.example/guide.md", source: "markdown" };

/** A repository that is not there: the request is taken, and fails afterwards. */
const repository = { url: "https://files.example/none.git", ref: "refs/heads/main" };

/** A translator that knows no language: translations are made, and fail afterwards. */
export const mute: Translator = async () => {
  throw new TranslatorError("rejected", "The translator does not know this language.");
};

export async function prepare(setting: Setting) {
  const { ask, org, otherOrg, ids } = setting;
  const id = async (answer: ReturnType<Setting["ask"]>) => (await answer).body.id as string;
  const team = await id(ask("admin", `PUT /v1/orgs/${org}/teams`, { title: "Writers", members: [ids.read] }));
  await ask("admin", `PUT /v1/orgs/${org}/teams/${team}/members/${ids.edit}`, { role: "owner" });
  const foreignTeam = await id(ask("rival", `PUT /v1/orgs/${otherOrg}/teams`, { title: "Pirates" }));
  const link = await id(ask("admin", `POST /v1/orgs/${org}/link-invites`, { role: "read" }));
  const invited = await ask("admin", `POST /v1/orgs/${org}/invites`, { emails: ["stranger@example.com"] });
  const saml = await id(
    ask("admin", `POST /v1/orgs/${org}/saml`, {
      label: "Okta",
      entityID: "urn:okta",
      ssoURL: "https://okta.example/sso",
      certificate: rsaCertificate,
    }),
  );
  await ask("admin", `PATCH /v1/orgs/${org}`, { hostname: "acme", emailDomains: ["example.com"] });
  const token = await id(ask("admin", "POST /v1/user/tokens", { label: "Spare" }));
  const session = await beginSession(setting, ids.admin, "0".repeat(16), "0".repeat(64));
  const [parkedJob] = (await parkJobs(setting, 1)) as [string];
  const collection = await id(ask("admin", `POST /v1/orgs/${org}/collections`, { title: "Handbook" }));
  const innerSpace = await id(ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Rules", parent: collection }));
  const space = await id(ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Secrets" }));
  const deletedSpace = await id(ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Old" }));
  await ask("admin", `DELETE /v1/spaces/${deletedSpace}`);
  for (const [kind, thing] of [
    ["spaces", space],
    ["collections", collection],
  ] as const) {
    await ask("admin", `PATCH /v1/${kind}/${thing}`, { defaultLevel: null });
    const given = {
      users: [
        { id: ids.guest, role: "read" },
        { id: ids.create, role: "create" },
      ],
      teams: [{ id: team, role: "edit" }],
    };
    await ask("admin", `POST /v1/${kind}/${thing}/permissions`, given);
  }
  const foreignSpace = await id(ask("rival", `POST /v1/orgs/${otherOrg}/spaces`, { title: "Theirs" }));
  const foreignCollection = await id(ask("rival", `POST /v1/orgs/${otherOrg}/collections`, { title: "Theirs" }));
  const door = await id(ask("rival", `POST /v1/orgs/${otherOrg}/link-invites`, { role: "create" }));
  await ask("admin", `POST /v1/orgs/${otherOrg}/invites/${door}`);
  const thirdOrg = await id(ask("stranger", "POST /v1/orgs", { title: "Third" }));
  const imported = (await ask("admin", `POST /v1/spaces/${space}/content/import`, guide)).body.revision as string;
  await ask("admin", `POST /v1/spaces/${space}/git/import`, repository);
  const content = await fill(setting, "admin", space);
  const foreignContent = await fill(setting, "rival", foreignSpace);
  const changeRequest = await id(ask("edit", `POST /v1/spaces/${space}/change-requests`, { subject: "Change" }));
  const foreignChangeRequest = await id(
    ask("rival", `POST /v1/spaces/${foreignSpace}/change-requests`, { subject: "T" }),
  );
  const changes = [{ operation: "insert_page", title: "More", document: { markdown: "More." } }];
  await ask("edit", `POST /v1/spaces/${space}/change-requests/${changeRequest}/content`, { changes });
  const review = await id(
    ask("admin", `POST /v1/spaces/${space}/change-requests/${changeRequest}/reviews`, { status: "changes-requested" }),
  );
  const auditEvent = (await ask("admin", `GET /v1/orgs/${org}/audit-events?limit=1`)).body.items[0].id as string;
  const integration = "acme-bot";
  const published = await ask("admin", `POST /v1/integrations/${integration}`, {
    organization: org,
    icon: png,
    script: "export default { fetch() {} }",
    secrets: { KEY: "value" },
    blocks: [{ id: "card", title: "Card", urlUnfurl: ["https://cards.example/*"] }],
    contentSources: [{ id: "pages", title: "Pages" }],
  });
  await ask("admin", `PUT /v1/integrations/${integration}/dev`, { tunnelUrl: "https://tunnel.example" });
  const installs = await ask("admin", `POST /v1/integrations/${integration}/installations`, { organization: org });
  const installation = installs.body.id as string;
  await ask("admin", `POST /v1/integrations/${integration}/installations/${installation}/spaces`, { space });
  const tasks = `POST /v1/integrations/${integration}/installations/${installation}/tasks`;
  const task = await id(ask("admin", tasks, { task: { type: "sweep" }, schedule: 86_400 }));
  await ask("rival", "POST /v1/integrations/rival-tool", { visibility: "public" });
  const told = await ask("admin", `GET /v1/integrations/${integration}/events`);
  const talks = {
    event: told.body.items.at(-1).id as string,
    installation,
    integration,
    task,
    integrationIcon: new URL(published.body.urls.icon).pathname,
    changeRequest,
    review,
    auditEvent,
    foreignChangeRequest,
    spaceTalk: await talk(setting, `/v1/spaces/${space}`),
    changeRequestTalk: await talk(setting, `/v1/spaces/${space}/change-requests/${changeRequest}`),
  };
  const spaces = [innerSpace, space];
  const site = await id(ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Docs", spaces }));
  await ask("admin", `POST /v1/orgs/${org}/sites/${site}/publish`);
  await ask("admin", `POST /v1/integrations/${integration}/installations/${installation}/sites`, { site });
  const foreignSite = await id(
    ask("rival", `POST /v1/orgs/${otherOrg}/sites`, { title: "Theirs", spaces: [foreignSpace] }),
  );
  const specId = await id(ask("admin", `PUT /v1/orgs/${org}/openapi/pet-store`, { source: { text: SPECIFICATION } }));
  await ask("admin", `PATCH /v1/orgs/${org}/openapi/pet-store`, { visibility: "public" });
  const specVersion = await id(ask("admin", `GET /v1/orgs/${org}/openapi/pet-store/versions/latest`));
  const assembled = await assemble(setting);
  const audience = await gatherAudience(setting, site, space, foreignSite);
  const foreignItems = await assembleForeign(setting, foreignSite, foreignSpace);
  await ask("rival", `POST /v1/orgs/${otherOrg}/sites/${foreignSite}/publish`);
  const siteSpaceAt = async (path: string) =>
    (await ask(null, "POST /v1/urls/published", { url: `http://localhost:3000/sites/${path}` })).body
      .siteSpace as string;
  const siteSpace = await siteSpaceAt(`${org}/docs/secrets`);
  const foreignSiteSpace = await siteSpaceAt(`${otherOrg}/theirs`);
  const leaving = { source: "/old", destination: { kind: "url", url: "https://example.com/new" } };
  const siteRedirect = await id(ask("admin", `POST /v1/orgs/${org}/sites/${site}/redirects`, leaving));
  const asBefore = { users: [{ id: ids.read, role: "read" }], teams: [{ id: team, role: "read" }] };
  await ask("admin", `POST /v1/orgs/${org}/sites/${site}/permissions`, asBefore);
  const font = await id(ask("admin", `POST /v1/orgs/${org}/fonts`, FONT));
  const glossaryEntries: string[] = [];
  for (const [as, of] of [
    ["admin", org],
    ["rival", otherOrg],
  ] as const) {
    const at = `/v1/orgs/${of}/translations-glossary`;
    await ask(as, `PUT ${at}`, { entries: [{ translations: { en: "Space", de: "Bereich" } }] });
    glossaryEntries.push((await ask(as, `GET ${at}`)).body.items[0].id);
  }
  const [glossaryEntry, foreignGlossaryEntry] = glossaryEntries as [string, string];
  const hosted = await id(ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Hosted" }));
  await ask("admin", `PATCH /v1/orgs/${org}/sites/${hosted}`, { hostname: "docs.acme.example" });
  const foreignFont = await id(ask("rival", `POST /v1/orgs/${otherOrg}/fonts`, FONT));
  const translation = await id(
    ask("admin", `POST /v1/orgs/${org}/translations`, { language: "de", source: { space } }),
  );
  return {
    ...setting,
    ...talks,
    plan: assembled.site,
    emptySite: assembled.empty,
    ...{ assembled, foreignItems, audience, site, foreignSite },
    spec: "pet-store",
    ...{ specId, specVersion, siteSpace, foreignSiteSpace, siteRedirect, font, foreignFont, translation, imported },
    ...{ glossaryEntry, foreignGlossaryEntry },
    ...{ content, foreignContent, thirdOrg, collection, innerSpace, space, deletedSpace, foreignSpace },
    ...{ foreignCollection, parkedJob, team, foreignTeam, link },
    emailInvite: invited.body.invites[0].id as string,
    saml,
    scimToken: await id(ask("admin", `POST /v1/orgs/${org}/scim-tokens`, { label: "Okta" })),
    token,
    session,
  };
}

/** The rows of a discussion, of whichever kind. */
function talkExamples<Kind extends "Space" | "ChangeRequest">(
  kind: Kind,
  at: string,
  { comment, reply }: Cast["spaceTalk"],
) {
  const one = `${at}/comments/${comment}`;
  const many: Matrix = { ...givenRead, guest: 403 };
  const said: Matrix = { ...givenRead, guest: 404 };
  const deletes: Matrix = { ...outsiders, comment: 404, review: 404, guest: "nothing", read: 403 };
  const inReply: Matrix = { ...outsiders, comment: 404, review: 404, guest: 404, read: 403 };
  const body = { markdown: "New." };
  return {
    [`list${kind}Comments`]: allow(`GET ${at}/comments`, many, {
      foreign: [
        { at: "targetPage", ask: `GET ${at}/comments?targetPage=pag_none`, finds: "nothing" },
        { at: "authors", ask: `GET ${at}/comments?authors=usr_none`, finds: "nothing" },
      ],
    }),
    [`postCommentOn${kind}`]: allow(`POST ${at}/comments`, many, {
      send: { body },
      foreign: [{ at: "page", send: { body, page: "pag_none" } }],
    }),
    [`get${kind}Comment`]: allow(`GET ${one}`, said),
    [`update${kind}Comment`]: allow(`PUT ${one}`, said, { send: { addedReactions: ["1f44d"] } }),
    [`delete${kind}Comment`]: allow(`DELETE ${one}`, deletes),
    [`list${kind}CommentReplies`]: allow(`GET ${one}/replies`, said),
    [`replyTo${kind}Comment`]: allow(`POST ${one}/replies`, said, { send: { body } }),
    [`get${kind}CommentReply`]: allow(`GET ${one}/replies/${reply}`, said),
    [`update${kind}CommentReply`]: allow(`PUT ${one}/replies/${reply}`, said, { send: { addedReactions: ["1f44d"] } }),
    [`delete${kind}CommentReply`]: allow(`DELETE ${one}/replies/${reply}`, inReply),
    [`list${kind}Commenters`]: allow(`GET ${at}/commenters`, many),
  } as unknown as Record<Extract<OperationName, `${string}${Kind}Comment${string}` | `postCommentOn${Kind}`>, Example>;
}

/** Leaves jobs behind that were given up: no failure that the API can be made to have is that stubborn. Gives their ids. */
export async function parkJobs({ storage, org, ids }: Setting, count: number): Promise<string[]> {
  const code = org.slice("org_".length);
  const jobs = Array.from({ length: count }, (_, number) => `job_${code}${String(number).padStart(16, "0")}`);
  const payload = { organization: org, user: ids.stranger };
  const value = { step: "sync-membership", payload, createdAt: 0, attempts: 12, error: "The directory was away." };
  const puts = jobs.map((job) => ({ key: encodeKey("parked-job", job), value }));
  await storage.partition(`org-${code}`).commit({ checks: [], puts, deletes: [], adds: [] });
  return jobs;
}

/** Begins a session of a user as a browser would; `id` has 16 characters, and `hash` 64. */
export async function beginSession({ api, clock }: Setting, user: string, id: string, hash: string): Promise<string> {
  const seenAt = clock.now.toISOString();
  const session: SessionRecord = {
    ...{ id: `ses_${id}`, hash, user, by: "email", passed: [], createdAt: seenAt, seenAt, idleMs: 14 * DAY },
    endsAt: new Date(clock.now.getTime() + 90 * DAY).toISOString(),
    ...{ address: "192.0.2.7", userAgent: "Mozilla/5.0" },
  };
  await getApiInternals(api).kernel.store.write(DIRECTORY, (tx) => sessions.put(tx, session));
  return session.id;
}

const everybody: Matrix = {};
const exceptForLastAdmins: Matrix = { admin: 409, rival: 409, stranger: 409 };
const outsiders: Matrix = { stranger: 404, rival: 404 };
const members: Matrix = outsiders;
const noGuests: Matrix = { ...outsiders, guest: 403 };
const admins: Matrix = { ...noGuests, read: 403, comment: 403, edit: 403, review: 403, create: 403 };
const hiddenFromGuests: Matrix = { ...outsiders, guest: 404 };
/** Absent to those who may not see it. */
const adminsSee: Matrix = { ...outsiders, guest: 404, read: 404, comment: 404, edit: 404, review: 404, create: 404 };
/** Deleting what one may not see does nothing, and says so as deleting what is not there does. */
const onlyAdminsDelete: Matrix = {
  ...outsiders,
  guest: "nothing",
  read: "nothing",
  comment: "nothing",
  edit: "nothing",
  review: "nothing",
  create: "nothing",
};
const teamManagers: Matrix = { ...hiddenFromGuests, read: 403, comment: 403, review: 403, create: 403 };
const theInvited: Matrix = {
  read: 403,
  comment: 403,
  edit: 403,
  review: 403,
  create: 403,
  admin: 403,
  guest: 403,
  rival: 403,
};

/** Only the admin is in the other organization as well. */
const inBoth: Matrix = { ...outsiders, comment: 404, review: 404, guest: 403, read: 403, edit: 403, create: 400 };
/** On what is closed: `create` was given create, the guest read, the reader and the editor edit through their team. */
const givenRead: Matrix = { ...outsiders, comment: 404, review: 404 };
const givenEdit: Matrix = { ...givenRead, guest: 403 };
const givenCreate: Matrix = { ...givenRead, guest: 403, read: 403, edit: 403 };
const givenCreateDeletes: Matrix = {
  stranger: "nothing",
  rival: "nothing",
  comment: "nothing",
  review: "nothing",
  guest: 403,
  read: 403,
  edit: 403,
};
const creators: Matrix = { ...outsiders, guest: 403, read: 403, comment: 403, edit: 403, review: 403 };
const siteEditors: Matrix = { ...creators, guest: 404 };
const specEditors: Matrix = { ...creators, guest: 404 };
const restorers: Matrix = { ...outsiders, guest: 404, read: 404, comment: 404, edit: 404, review: 404 };

export function examples(cast: Cast): Record<OperationName, Example> {
  const { translation, org, otherOrg, thirdOrg, ids, team, foreignTeam, link, emailInvite, saml, scimToken } = cast;
  const { token, session, parkedJob, collection, space, innerSpace, deletedSpace, foreignSpace } = cast;
  const { foreignCollection, content, foreignContent, imported, changeRequest, foreignChangeRequest } = cast;
  const { spaceTalk, changeRequestTalk, site, integration, spec, specId, specVersion, siteSpace } = cast;
  const { foreignSiteSpace, siteRedirect, font, foreignFont, review, auditEvent } = cast;
  const atSite = `/v1/orgs/${org}/sites/${site}`;
  const inSpec = `/v1/orgs/${org}/openapi/${spec}`;
  const appUrl = `http://localhost:3000/o/${org}/s/${space}/start`;
  /** Targets of links and redirects that are not on the site, by the member that names them. */
  const foreignTargets: readonly [member: string, target: object][] = [
    ["space", { kind: "space", space: foreignSpace }],
    ["space", { kind: "page", space: foreignSpace, page: foreignContent.page }],
    ["page", { kind: "page", space, page: foreignContent.page }],
    ["siteSpace", { kind: "site-space", siteSpace: foreignSiteSpace }],
    ["space", { kind: "anchor", space: foreignSpace, page: foreignContent.page, anchor: "a" }],
    ["page", { kind: "anchor", space, page: foreignContent.page, anchor: "a" }],
    ["siteSection", { kind: "site-section", siteSection: foreignSiteSpace }],
  ];
  const toPage = { kind: "page", siteSpaceId: siteSpace, pageId: content.page };
  /** The same for redirects. */
  const foreignDestinations: readonly [member: string, destination: object][] = [
    ["siteSpaceId", { ...toPage, siteSpaceId: foreignSiteSpace }],
    ["siteSpaceId", { kind: "site-space", siteSpaceId: foreignSiteSpace }],
    ["pageId", { ...toPage, pageId: foreignContent.page }],
    ["siteSectionId", { kind: "site-section", siteSectionId: foreignSiteSpace }],
  ];
  /** Everything in a customization that leads somewhere. */
  const linkPlaces: readonly [at: string, settings: (to: object) => object][] = [
    ["header.links.to", (to) => ({ header: { links: [{ title: "A", to }] } })],
    ["header.links.links.to", (to) => ({ header: { links: [{ title: "A", links: [{ title: "B", to }] }] } })],
    ["footer.groups.links.to", (to) => ({ footer: { groups: [{ title: "A", links: [{ title: "B", to }] }] } })],
    ["announcement.link.to", (to) => ({ announcement: { link: { title: "A", to } } })],
  ];
  const foreignLinks = [
    ...linkPlaces.flatMap(([at, settings]) =>
      foreignTargets.map(([member, to]) => ({ at: `${at}.${member}`, send: settings(to) })),
    ),
    ...["font", "monospaceFont"].map((name) => ({
      at: `styling.${name}.id`,
      send: { styling: { [name]: { id: foreignFont } } },
    })),
  ];
  const look = { title: "Acme", header: { links: [{ title: "Space", to: { kind: "space", space } }] } };
  const inChange = `/v1/spaces/${space}/change-requests/${changeRequest}`;
  const inSpace = `/v1/spaces/${space}`;
  const inTranslation = `/v1/orgs/${org}/translations/${translation}`;
  const inContent = `${inSpace}/content`;
  const inRevision = `${inSpace}/revisions/${content.revision}`;
  const change = (...changes: object[]) => ({ changes });
  /** References to what is in the other organization, by the member that names it. */
  const foreignRefs: readonly [member: string, ref: object][] = [
    ["file", { kind: "file", file: foreignContent.file }],
    ["page", { kind: "page", page: foreignContent.page }],
    ["page", { kind: "anchor", anchor: "x", page: foreignContent.page }],
    ["space", { kind: "space", space: foreignSpace }],
    ["space", { kind: "page", page: foreignContent.page, space: foreignSpace }],
    ["space", { kind: "anchor", anchor: "x", page: foreignContent.page, space: foreignSpace }],
    ["space", { kind: "reusable-content", reusableContent: foreignContent.reusable, space: foreignSpace }],
    ["user", { kind: "user", user: ids.rival }],
    ["collection", { kind: "collection", collection: foreignCollection }],
    ["reusableContent", { kind: "reusable-content", reusableContent: foreignContent.reusable }],
  ];
  const at = `/v1/orgs/${org}`;
  const neighbours = [
    { type: "space", space: foreignSpace },
    { type: "collection", collection: foreignCollection },
  ] as const;
  const foreignPlaces = [
    { at: "parent", send: { parent: foreignCollection } },
    ...(["before", "after"] as const).flatMap((side) =>
      neighbours.map((pointer) => ({
        at: `position.${side}.${pointer.type}`,
        send: { position: { [side]: pointer } },
      })),
    ),
  ];
  const foreignChanges: NonNullable<Example["foreign"]> = [
    { at: "changes.into", send: change({ operation: "insert_page", document: {}, into: foreignContent.page }) },
    { at: "changes.page", send: change({ operation: "update_page", page: foreignContent.page, title: "X" }) },
    {
      at: "changes.revision",
      send: change({ operation: "revert_page", page: content.page, revision: foreignContent.revision }),
    },
    ...foreignRefs.flatMap(([member, ref]) => [
      // The admin is in the other organization as well.
      {
        at: `changes.target.${member}`,
        as: "edit" as const,
        send: change({ operation: "insert_link", title: "X", target: ref }),
      },
      {
        at: `changes.cover.ref.${member}`,
        as: "edit" as const,
        send: change({ operation: "update_page", page: content.page, cover: { ref } }),
      },
      {
        at: `changes.cover.refDark.${member}`,
        as: "edit" as const,
        send: change({
          operation: "update_page",
          page: content.page,
          cover: { ref: { kind: "url", url: "https://example.com" }, refDark: ref },
        }),
      },
    ]),
    { at: "changes.files", send: change({ operation: "delete_files", files: [foreignContent.file] }) },
    {
      at: "changes.reusableContent",
      send: change({ operation: "delete_reusable_content", reusableContent: foreignContent.reusable }),
    },
  ];
  return {
    getService: allow("GET /v1/", everybody),
    getOpenApi: allow("GET /v1/openapi.json", everybody),
    getHealth: allow("GET /v1/health", everybody),
    getReadiness: allow("GET /v1/ready", everybody),
    getCurrentUser: allow("GET /v1/user", everybody),
    getUser: allow(`GET /v1/users/${ids.read}`, hiddenFromGuests),
    updateCurrentUser: allow("PATCH /v1/user", everybody, { send: { displayName: "New" } }),
    updateUser: allow(
      `PATCH /v1/users/${ids.read}`,
      { ...exceptFor("read", 403), ...outsiders, guest: 404 },
      { send: { displayName: "New", photoURL: "https://example.com/me.png" } },
    ),
    exportCurrentUser: allow("GET /v1/user/export", everybody),
    leaveOrganizations: allow("DELETE /v1/user/organizations", exceptForLastAdmins),
    eraseCurrentUser: allow("DELETE /v1/user", exceptForLastAdmins),
    listTokens: allow("GET /v1/user/tokens", everybody),
    createToken: allow("POST /v1/user/tokens", everybody, { send: { label: "New" } }),
    revokeToken: allow(`DELETE /v1/user/tokens/${token}`, exceptFor("admin", "nothing")),
    listSessions: allow("GET /v1/user/sessions", everybody),
    endSession: allow(`DELETE /v1/user/sessions/${session}`, exceptFor("admin", "nothing")),
    endSessions: allow("DELETE /v1/user/sessions", everybody),
    listOrganizations: allow("GET /v1/orgs", everybody),
    createOrganization: allow("POST /v1/orgs", everybody, {
      send: { title: "New", hostname: "brand-new", emailDomains: ["new.example"] },
    }),
    getOrganization: allow(`GET ${at}`, members),
    updateOrganization: allow(`PATCH ${at}`, admins, {
      send: { title: "Changed", hostname: "changed", emailDomains: ["changed.example"] },
      foreign: [{ at: "defaultContent.site", send: { defaultContent: { type: "site", site: cast.foreignSite } } }],
    }),
    listAuditEvents: allow(`GET ${at}/audit-events`, admins, {
      foreign: [
        { at: "actor", ask: `GET ${at}/audit-events?actor=${ids.rival}`, finds: "nothing" },
        { at: "thing", ask: `GET ${at}/audit-events?thing=${cast.foreignSpace}`, finds: "nothing" },
      ],
    }),
    getAuditEvent: allow(`GET ${at}/audit-events/${auditEvent}`, admins),
    exportAuditEvents: allow(`GET ${at}/audit-events/export`, admins, {
      foreign: [
        { at: "actor", ask: `GET ${at}/audit-events/export?actor=${ids.rival}`, finds: "nothing" },
        { at: "thing", ask: `GET ${at}/audit-events/export?thing=${cast.foreignSpace}`, finds: "nothing" },
      ],
    }),
    listAuditEventActions: allow(`GET ${at}/audit-event-actions`, admins),
    searchOrganization: allow(`GET ${at}/search?query=x`, members),
    askOrganization: allow(`POST ${at}/ask`, members, { send: { question: "xylophone" } }),
    askSpace: allow(`POST ${inSpace}/ask`, givenRead, { send: { question: "xylophone" } }),
    searchSpace: allow(`GET ${inSpace}/search?query=xylophone`, givenRead),
    listTemplates: allow("GET /v1/templates", everybody),
    getContent: allow(`GET ${inContent}`, givenRead),
    listPages: allow(`GET ${inContent}/pages`, givenRead),
    getPage: allow(`GET ${inContent}/page/${content.page}`, givenRead),
    getPageByPath: allow(`GET ${inContent}/path/start`, givenRead),
    computeRevision: allow(`POST ${inContent}/computed/revision`, givenEdit, {
      send: { source: { type: "builtin:openapi", props: { spec } }, seed: "s" },
    }),
    computeDocument: allow(`POST ${inContent}/computed/document`, givenEdit, {
      send: { source: { type: "integration:acme-bot:pages" }, seed: "s" },
    }),
    getPageDocument: allow(`GET ${inContent}/page/${content.page}/document`, givenRead),
    previewPage: allow(`POST ${inContent}/page/${content.page}/preview`, givenRead, {
      send: { markdown: "# Start\n\nA [link](more.md).\n" },
    }),
    getDocument: allow(`GET ${inSpace}/documents/${content.document}`, givenRead),
    listFiles: allow(`GET ${inContent}/files`, givenRead),
    getFile: allow(`GET ${inContent}/files/${content.file}`, givenRead),
    getReusableContent: allow(`GET ${inContent}/reusable-contents/${content.reusable}`, givenRead),
    getReusableContentDocument: allow(`GET ${inContent}/reusable-contents/${content.reusable}/document`, givenRead),
    downloadFile: allow(`GET ${content.download}`, everybody),
    getPdf: allow(`GET ${inSpace}/pdf?page=${content.page}`, givenRead, {
      foreign: [{ at: "page", ask: `GET ${inSpace}/pdf?page=${foreignContent.page}` }],
    }),
    downloadPdf: allow(`GET ${content.pdf}`, everybody),
    listSpaceLinks: allow(`GET ${inSpace}/links`, givenRead),
    listLinksOfPage: allow(`GET ${inContent}/page/${content.page}/links`, givenRead),
    listBacklinksOfPage: allow(`GET ${inContent}/page/${content.page}/backlinks`, givenRead),
    listBacklinksOfFile: allow(`GET ${inContent}/files/${content.file}/backlinks`, givenRead),
    listChangeRequests: allow(`GET ${inSpace}/change-requests?status=draft`, givenRead, {
      foreign: [
        { at: "contributor", ask: `GET ${inSpace}/change-requests?contributor=${ids.rival}`, finds: "nothing" },
      ],
    }),
    createChangeRequest: allow(`POST ${inSpace}/change-requests`, givenEdit, { send: { subject: "New" } }),
    listOrganizationChangeRequests: allow(`GET ${at}/change-requests?status=draft`, members, {
      foreign: [
        { at: "space", ask: `GET ${at}/change-requests?space=${foreignSpace}`, finds: "nothing" },
        { at: "creator", ask: `GET ${at}/change-requests?creator=${ids.rival}`, finds: "nothing" },
        { at: "contributor", ask: `GET ${at}/change-requests?contributor=${ids.rival}`, finds: "nothing" },
      ],
    }),
    getChangeRequest: allow(`GET ${inChange}`, givenRead),
    updateChangeRequest: allow(`PATCH ${inChange}`, givenEdit, { send: { status: "open" } }),
    changeChangeRequestContent: allow(`POST ${inChange}/content`, givenEdit, {
      send: change({ operation: "insert_page", title: "New", document: { markdown: "Text" } }),
      foreign: foreignChanges,
    }),
    mergeChangeRequest: allow(`POST ${inChange}/merge`, { ...givenRead, guest: 403, read: 403, edit: 403 }),
    updateFromSpace: allow(`POST ${inChange}/update`, givenEdit),
    getChangeRequestContent: allow(`GET ${inChange}/content`, givenRead),
    listChangeRequestPages: allow(`GET ${inChange}/content/pages`, givenRead),
    getChangeRequestPage: allow(`GET ${inChange}/content/page/${content.page}`, givenRead),
    getChangeRequestPageDocument: allow(`GET ${inChange}/content/page/${content.page}/document`, givenRead),
    previewChangeRequestPage: allow(`POST ${inChange}/content/page/${content.page}/preview`, givenRead, {
      send: { markdown: "# Start\n\nA [link](more.md).\n" },
    }),
    getChangeRequestReusableContentDocument: allow(
      `GET ${inChange}/content/reusable-contents/${content.reusable}/document`,
      givenRead,
    ),
    getChangeRequestPageByPath: allow(`GET ${inChange}/content/path/start`, givenRead),
    listChangeRequestFiles: allow(`GET ${inChange}/content/files`, givenRead),
    getChangeRequestFile: allow(`GET ${inChange}/content/files/${content.file}`, givenRead),
    getChangeRequestReusableContent: allow(`GET ${inChange}/content/reusable-contents/${content.reusable}`, givenRead),
    getChangeRequestPdf: allow(`GET ${inChange}/pdf?page=${content.page}&only=true`, givenRead, {
      foreign: [{ at: "page", ask: `GET ${inChange}/pdf?page=${foreignContent.page}` }],
    }),
    listChangeRequestLinks: allow(`GET ${inChange}/links`, givenRead),
    listLinksOfChangeRequestPage: allow(`GET ${inChange}/content/page/${content.page}/links`, givenRead),
    listBacklinksOfChangeRequestPage: allow(`GET ${inChange}/content/page/${content.page}/backlinks`, givenRead),
    listBacklinksOfChangeRequestFile: allow(`GET ${inChange}/content/files/${content.file}/backlinks`, givenRead),
    listChangesOfChangeRequest: allow(`GET ${inChange}/changes`, givenRead),
    listContributors: allow(`GET ${inChange}/contributors`, givenRead),
    listReviews: allow(`GET ${inChange}/reviews`, givenRead),
    getReview: allow(`GET ${inChange}/reviews/${review}`, givenRead),
    reviewChangeRequest: allow(
      `POST ${inChange}/reviews`,
      { ...givenRead, guest: 403, read: 403, edit: 403 },
      { send: { status: "approved" } },
    ),
    listRequestedReviewers: allow(`GET ${inChange}/requested-reviewers`, givenRead),
    requestReviewers: allow(`POST ${inChange}/requested-reviewers`, givenEdit, {
      send: { users: [ids.create] },
      foreign: [{ at: "users", send: { users: [ids.rival] } }],
    }),
    removeRequestedReviewer: allow(`DELETE ${inChange}/requested-reviewers/${ids.create}`, {
      ...givenEdit,
      stranger: 404,
      rival: 404,
      comment: 404,
      review: 404,
    }),
    ...talkExamples("Space", inSpace, spaceTalk),
    ...talkExamples("ChangeRequest", inChange, changeRequestTalk),
    changeContent: allow(`POST ${inContent}`, givenEdit, {
      send: change({ operation: "insert_page", title: "New", document: { markdown: "Text" } }),
      foreign: foreignChanges,
    }),
    applyTemplate: allow(`POST ${inContent}/template`, givenEdit, {
      send: { id: "knowledge-base" },
      foreign: [{ at: "id", send: { id: foreignSpace } }],
    }),
    importContent: allow(`POST ${inContent}/import`, givenEdit, { send: guide }),
    importIntoPage: allow(`POST ${inContent}/page/${content.page}/import`, givenEdit, {
      send: { source: "markdown", text: "Imported.\n" },
    }),
    importIntoChangeRequestPage: allow(`POST ${inChange}/content/page/${content.page}/import`, givenEdit, {
      send: { source: "markdown", text: "Imported.\n" },
    }),
    importChangeRequestContent: allow(`POST ${inChange}/content/import`, givenEdit, { send: guide }),
    getImportReport: allow(`GET ${inSpace}/revisions/${imported}/import`, givenRead),
    importFromGit: allow(`POST ${inSpace}/git/import`, givenCreate, { send: repository }),
    exportToGit: allow(`POST ${inSpace}/git/export`, givenCreate, {
      send: { ...repository, commitMessage: "Update the docs" },
    }),
    listGlossaryEntries: allow(`GET ${at}/translations-glossary`, noGuests),
    updateGlossary: allow(`PUT ${at}/translations-glossary`, creators, {
      send: {
        entries: [
          { id: cast.glossaryEntry, translations: { en: "Space", de: "Bereich", fr: "Espace" } },
          { translations: { en: "Change request", de: "Änderungsantrag" } },
        ],
      },
      foreign: [{ at: "entries.id", send: { entries: [{ id: cast.foreignGlossaryEntry, translations: null }] } }],
    }),
    getGlossaryEntry: allow(`GET ${at}/translations-glossary/${cast.glossaryEntry}`, hiddenFromGuests),
    listTranslations: allow(`GET ${at}/translations`, members),
    createTranslation: allow(`POST ${at}/translations`, creators, {
      send: { language: "fr", source: { space } },
      foreign: [{ at: "source.space", send: { language: "fr", source: { space: foreignSpace } } }],
    }),
    getTranslation: allow(`GET ${inTranslation}`, givenRead),
    updateTranslation: allow(
      `PUT ${inTranslation}`,
      { ...givenCreate, create: 403 },
      { send: { instructions: { object: "document", data: {}, nodes: [] } } },
    ),
    runTranslationAgain: allow(`POST ${inTranslation}/run`, { ...givenCreate, create: 403 }),
    deleteTranslation: allow(`DELETE ${inTranslation}`, { ...givenCreateDeletes, ...outsiders, create: 403 }),
    getGitInfo: allow(`GET ${inSpace}/git/info`, givenRead),
    removeGitSync: allow(`DELETE ${inSpace}/git/legacy-installation`, givenCreate),
    listRevisions: allow(`GET ${inSpace}/revisions`, givenRead),
    getRevision: allow(`GET ${inRevision}`, givenRead),
    listRevisionPages: allow(`GET ${inRevision}/pages`, givenRead),
    listRevisionFiles: allow(`GET ${inRevision}/files`, givenRead),
    getRevisionPage: allow(`GET ${inRevision}/page/${content.page}`, givenRead),
    getRevisionFile: allow(`GET ${inRevision}/files/${content.file}`, givenRead),
    getRevisionPageDocument: allow(`GET ${inRevision}/page/${content.page}/document`, givenRead),
    getRevisionReusableContentDocument: allow(
      `GET ${inRevision}/reusable-contents/${content.reusable}/document`,
      givenRead,
    ),
    getRevisionPageByPath: allow(`GET ${inRevision}/path/start`, givenRead),
    getRevisionReusableContent: allow(`GET ${inRevision}/reusable-contents/${content.reusable}`, givenRead),
    listRevisionChanges: allow(`GET ${inRevision}/changes`, givenRead),
    listOrganizationsByEmailDomain: allow("GET /v1/email-domains/example.com/orgs", everybody),
    joinOrganization: allow(`POST ${at}/join`, { guest: 403 }),
    pingOrganization: allow(`POST ${at}/ping`, members),
    getSubdomain: allow("GET /v1/subdomains/acme", everybody),
    listMembers: allow(`GET ${at}/members`, noGuests),
    getMember: allow(`GET ${at}/members/${ids.read}`, hiddenFromGuests),
    updateMember: allow(`PATCH ${at}/members/${ids.read}`, { ...admins, guest: 404 }, { send: { role: "edit" } }),
    removeMember: allow(`DELETE ${at}/members/${ids.read}`, {
      ...outsiders,
      guest: "nothing",
      comment: 403,
      edit: 403,
      review: 403,
      create: 403,
    }),
    makeMemberSso: allow(`POST ${at}/members/${ids.read}/sso`, { ...admins, guest: 404 }),
    listMemberSpaces: allow(`GET ${at}/members/${ids.read}/spaces`, hiddenFromGuests),
    listMemberTeams: allow(`GET ${at}/members/${ids.read}/teams`, hiddenFromGuests),
    inviteByEmail: allow(`POST ${at}/invites`, admins, { send: { emails: ["new@example.com"] } }),
    listEmailInvites: allow(`GET ${at}/invites`, admins),
    sendEmailInvite: allow(`POST ${at}/invites/${emailInvite}/send`, adminsSee),
    deleteEmailInvite: allow(`DELETE ${at}/invites/${emailInvite}`, onlyAdminsDelete),
    acceptInvite: allow(`POST ${at}/invites/${emailInvite}`, theInvited),
    listLinkInvites: allow(`GET ${at}/link-invites`, admins),
    createLinkInvite: allow(`POST ${at}/link-invites`, admins, {
      send: { role: "read" },
      foreign: [{ at: "space", send: { role: "read", space: foreignSpace } }],
    }),
    getLinkInvite: allow(`GET ${at}/link-invites/${link}`, adminsSee),
    updateLinkInvite: allow(`PATCH ${at}/link-invites/${link}`, adminsSee, { send: { role: "edit" } }),
    deleteLinkInvite: allow(`DELETE ${at}/link-invites/${link}`, onlyAdminsDelete),
    listSites: allow(`GET ${at}/sites`, noGuests, {
      foreign: [{ at: "space", ask: `GET ${at}/sites?space=${foreignSpace}`, finds: "nothing" }],
    }),
    createSite: allow(`POST ${at}/sites`, creators, {
      send: { title: "Manual", spaces: [space] },
      foreign: [{ at: "spaces", send: { spaces: [foreignSpace] } }],
    }),
    getSite: allow(`GET ${atSite}`, hiddenFromGuests),
    updateSite: allow(`PATCH ${atSite}`, siteEditors, {
      send: { title: "Handbook", hostname: "docs.example.com", defaultSiteSpace: siteSpace },
      foreign: [
        { at: "defaultSiteSpace", send: { defaultSiteSpace: foreignSiteSpace } },
        { at: "defaultSiteSection", send: { defaultSiteSection: foreignSiteSpace } },
      ],
    }),
    deleteSite: allow(`DELETE ${atSite}`, { ...siteEditors, guest: "nothing" }),
    publishSite: allow(`POST ${atSite}/publish`, siteEditors),
    unpublishSite: allow(`POST ${atSite}/unpublish`, siteEditors),
    updateSiteAds: allow(`POST ${atSite}/ads`, siteEditors, { send: { status: "in-review", topic: "webdev" } }),
    getSiteCustomization: allow(`GET ${atSite}/customization`, siteEditors),
    setSiteCustomization: allow(`PUT ${atSite}/customization`, siteEditors, { send: look, foreign: foreignLinks }),
    getSiteSpaceCustomization: allow(`GET ${atSite}/site-spaces/${siteSpace}/customization`, siteEditors),
    updateSiteSpaceCustomization: allow(`PATCH ${atSite}/site-spaces/${siteSpace}/customization`, siteEditors, {
      send: look,
      foreign: foreignLinks,
    }),
    resetSiteSpaceCustomization: allow(`DELETE ${atSite}/site-spaces/${siteSpace}/customization`, siteEditors),
    getCustomHostname: allow("GET /v1/custom-hostnames/docs.acme.example", hiddenFromGuests),
    revalidateCustomHostname: allow("PATCH /v1/custom-hostnames/docs.acme.example", siteEditors),
    removeCustomHostname: allow("DELETE /v1/custom-hostnames/docs.acme.example", {
      ...siteEditors,
      guest: "nothing",
      stranger: "nothing",
      rival: "nothing",
    }),
    listFonts: allow(`GET ${at}/fonts`, noGuests),
    createFont: allow(`POST ${at}/fonts`, creators, { send: FONT }),
    createFontByPut: allow(`PUT ${at}/fonts`, creators, { send: FONT }),
    getFont: allow(`GET ${at}/fonts/${font}`, hiddenFromGuests),
    updateFont: allow(`POST ${at}/fonts/${font}`, siteEditors, { send: { fontFamily: "Acme Serif" } }),
    deleteFont: allow(`DELETE ${at}/fonts/${font}`, { ...siteEditors, guest: "nothing" }),
    listSiteRedirects: allow(`GET ${atSite}/redirects`, siteEditors),
    createSiteRedirect: allow(`POST ${atSite}/redirects`, siteEditors, {
      send: { source: "/older", destination: toPage },
      foreign: foreignDestinations.map(([member, destination]) => ({
        at: `destination.${member}`,
        send: { source: "/older", destination },
      })),
    }),
    createSiteRedirects: allow(`POST ${atSite}/redirects/bulk`, siteEditors, {
      send: {
        redirects: [
          { source: "/older", destination: toPage },
          { source: "/oldest", destination: { kind: "url", url: "https://example.com" } },
        ],
      },
      foreign: foreignDestinations.map(([member, destination]) => ({
        at: `redirects.destination.${member}`,
        send: { redirects: [{ source: "/older", destination }] },
      })),
    }),
    upsertSiteRedirects: allow(`PUT ${atSite}/redirects`, siteEditors, {
      send: {
        redirects: [
          { source: "/older", destination: toPage },
          { source: "/old", destination: null },
        ],
      },
      foreign: foreignDestinations.map(([member, destination]) => ({
        at: `redirects.destination.${member}`,
        send: { redirects: [{ source: "/older", destination }] },
        finds: "nothing" as const,
      })),
    }),
    getSiteRedirect: allow(`GET ${atSite}/redirects/${siteRedirect}`, siteEditors),
    updateSiteRedirect: allow(`PATCH ${atSite}/redirects/${siteRedirect}`, siteEditors, {
      send: { destination: { kind: "site-space", siteSpaceId: siteSpace } },
      foreign: foreignDestinations.map(([member, destination]) => ({
        at: `destination.${member}`,
        send: { destination },
      })),
    }),
    deleteSiteRedirect: allow(`DELETE ${atSite}/redirects/${siteRedirect}`, siteEditors),
    getSiteRedirectTarget: allow(`GET ${atSite}/redirect?source=%2Fold`, everybody),
    previewSite: allow(`POST ${atSite}/preview`, siteEditors, {
      send: { siteSpaceId: siteSpace, changeRequestId: changeRequest },
      alsoScopes: ["revisions:read", "change-requests:read"],
      foreign: [
        { at: "siteSpaceId", send: { siteSpaceId: foreignSiteSpace, changeRequestId: changeRequest } },
        { at: "changeRequestId", send: { siteSpaceId: siteSpace, changeRequestId: foreignChangeRequest } },
        { at: "revisionId", send: { siteSpaceId: siteSpace, revisionId: foreignContent.revision } },
      ],
    }),
    getSitePreviewUrl: allow(`GET ${atSite}/publishing/preview`, siteEditors, {
      alsoScopes: ["revisions:read"],
      foreign: [{ at: "siteSpace", ask: `GET ${atSite}/publishing/preview?siteSpace=${foreignSiteSpace}` }],
    }),
    resolvePublishedUrl: allow("POST /v1/urls/published", everybody, {
      send: { url: `http://localhost:3000/sites/${org}/docs` },
    }),
    listTeams: allow(`GET ${at}/teams`, noGuests, {
      foreign: [{ at: "owner", ask: `GET ${at}/teams?owner=${ids.rival}`, finds: "nothing" }],
    }),
    createTeam: allow(`PUT ${at}/teams`, admins, {
      send: { title: "New", members: [ids.read] },
      foreign: [{ at: "members", send: { title: "New", members: [ids.rival] } }],
    }),
    listOpenApiSpecs: allow(`GET ${at}/openapi`, noGuests),
    createOpenApiSpec: allow(`POST ${at}/openapi`, creators, {
      send: { slug: "other", source: { text: SPECIFICATION } },
    }),
    getOpenApiSpec: allow(`GET ${inSpec}`, hiddenFromGuests),
    putOpenApiSpec: allow(`PUT ${inSpec}`, specEditors, { send: { source: { text: `${SPECIFICATION}tags: []\n` } } }),
    updateOpenApiSpec: allow(`PATCH ${inSpec}`, specEditors, { send: { visibility: "private" } }),
    deleteOpenApiSpec: allow(`DELETE ${inSpec}`, { ...specEditors, guest: "nothing" }),
    listOpenApiSpecVersions: allow(`GET ${inSpec}/versions`, hiddenFromGuests),
    getLatestOpenApiSpecVersion: allow(`GET ${inSpec}/versions/latest`, hiddenFromGuests),
    getLatestOpenApiSpecContent: allow(`GET ${inSpec}/versions/latest/content`, hiddenFromGuests),
    getLatestOpenApiSpecText: allow(`GET ${inSpec}/versions/latest/content/raw`, hiddenFromGuests),
    getOpenApiSpecVersion: allow(`GET ${inSpec}/versions/${specVersion}`, hiddenFromGuests),
    getOpenApiSpecContent: allow(`GET ${inSpec}/versions/${specVersion}/content`, hiddenFromGuests),
    getOpenApiSpecText: allow(`GET ${inSpec}/versions/${specVersion}/content/raw`, hiddenFromGuests),
    getPublicOpenApiSpec: allow(`GET /v1/public/openapi/${specId}`, everybody),
    getPublicOpenApiSpecContent: allow(`GET /v1/public/openapi/${specId}/content`, everybody),
    getTeam: allow(`GET ${at}/teams/${team}`, hiddenFromGuests),
    updateTeam: allow(`PATCH ${at}/teams/${team}`, teamManagers, { send: { title: "Changed" } }),
    deleteTeam: allow(`DELETE ${at}/teams/${team}`, {
      ...outsiders,
      guest: "nothing",
      read: 403,
      comment: 403,
      edit: 403,
      review: 403,
      create: 403,
    }),
    listTeamMembers: allow(`GET ${at}/teams/${team}/members`, hiddenFromGuests),
    updateTeamMembers: allow(`PUT ${at}/teams/${team}/members`, teamManagers, {
      send: { add: [ids.create], remove: [ids.read] },
      foreign: [
        { at: "add", send: { add: [ids.rival] } },
        { at: "remove", send: { remove: [ids.rival] }, finds: "nothing" },
        { at: "memberships.id", send: { memberships: [{ id: ids.rival }] } },
      ],
    }),
    setTeamMember: allow(`PUT ${at}/teams/${team}/members/${ids.create}`, teamManagers, {
      send: { role: "owner" },
      foreign: [{ at: "path", ask: `PUT ${at}/teams/${team}/members/${ids.rival}`, send: {} }],
    }),
    removeTeamMember: allow(`DELETE ${at}/teams/${team}/members/${ids.read}`, {
      ...outsiders,
      guest: 404,
      comment: 403,
      review: 403,
      create: 403,
    }),
    listSamlProviders: allow(`GET ${at}/saml`, admins),
    createSamlProvider: allow(`POST ${at}/saml`, admins, {
      send: { label: "New", defaultTeam: team },
      foreign: [{ at: "defaultTeam", send: { label: "New", defaultTeam: foreignTeam } }],
    }),
    getSamlProvider: allow(`GET ${at}/saml/${saml}`, adminsSee),
    updateSamlProvider: allow(`PATCH ${at}/saml/${saml}`, adminsSee, {
      send: { label: "Changed" },
      foreign: [{ at: "defaultTeam", send: { defaultTeam: foreignTeam } }],
    }),
    deleteSamlProvider: allow(`DELETE ${at}/saml/${saml}`, onlyAdminsDelete),
    listScimTokens: allow(`GET ${at}/scim-tokens`, admins),
    createScimToken: allow(`POST ${at}/scim-tokens`, admins, { send: { label: "New" } }),
    revokeScimToken: allow(`DELETE ${at}/scim-tokens/${scimToken}`, onlyAdminsDelete),
    listCollections: allow(`GET ${at}/collections`, members),
    createCollection: allow(`POST ${at}/collections`, creators, {
      send: { title: "New" },
      foreign: [{ at: "parent", send: { title: "New", parent: foreignCollection } }],
    }),
    getCollection: allow(`GET /v1/collections/${collection}`, givenRead),
    updateCollection: allow(`PATCH /v1/collections/${collection}`, givenCreate, {
      send: { title: "Changed", description: "x" },
    }),
    deleteCollection: allow(`DELETE /v1/collections/${collection}`, givenCreateDeletes),
    listSpacesInCollection: allow(`GET /v1/collections/${collection}/spaces`, givenRead),
    moveCollection: allow(`POST /v1/collections/${collection}/move`, givenCreate, {
      send: { position: { after: { type: "space", space } } },
      foreign: foreignPlaces,
    }),
    listSpaces: allow(`GET ${at}/spaces`, members),
    createSpace: allow(`POST ${at}/spaces`, creators, {
      send: { title: "New", emoji: "1f600" },
      foreign: [
        { at: "parent", send: { title: "New", parent: foreignCollection } },
        { at: "template.id", send: { title: "New", template: { id: foreignSpace } } },
      ],
    }),
    getSpace: allow(`GET /v1/spaces/${space}`, givenRead),
    updateSpace: allow(`PATCH /v1/spaces/${space}`, givenCreate, { send: { title: "Changed", editMode: "locked" } }),
    deleteSpace: allow(`DELETE /v1/spaces/${space}`, givenCreateDeletes),
    restoreSpace: allow(`POST /v1/spaces/${deletedSpace}/restore`, restorers),
    duplicateSpace: allow(`POST /v1/spaces/${space}/duplicate`, givenCreate),
    moveSpace: allow(`POST /v1/spaces/${space}/move`, givenCreate, {
      send: { parent: collection, position: { before: { type: "space", space: innerSpace } } },
      foreign: foreignPlaces,
    }),
    transferSpace: allow(`POST /v1/spaces/${space}/transfer`, inBoth, {
      send: { organization: otherOrg, collection: foreignCollection },
      foreign: [
        { at: "organization", send: { organization: thirdOrg } },
        { at: "collection", send: { organization: otherOrg, collection } },
      ],
    }),
    transferCollection: allow(`POST /v1/collections/${collection}/transfer`, inBoth, {
      send: { organization: otherOrg },
      foreign: [{ at: "organization", send: { organization: thirdOrg } }],
    }),
    ...audienceExamples(cast),
    ...structureExamples(cast.assembled, cast.foreignItems),
    ...grantExamples(cast),
    listIntegrations: allow("GET /v1/integrations", everybody, {
      foreign: [{ at: "owner", ask: `GET /v1/integrations?owner=${thirdOrg}`, finds: "nothing" }],
    }),
    getIntegration: allow(`GET /v1/integrations/${integration}`, hiddenFromGuests),
    publishIntegration: allow(
      "POST /v1/integrations/new-one",
      { ...admins, stranger: 400, rival: 400 },
      { send: { organization: org, icon: png, script: "export default { fetch() {} }", secrets: { KEY: "value" } } },
    ),
    unpublishIntegration: allow(`DELETE /v1/integrations/${integration}`, {
      ...admins,
      guest: "nothing",
      stranger: "nothing",
      rival: "nothing",
    }),
    ...installationExamples(cast),
    listOrganizationIntegrations: allow(`GET ${at}/integrations`, noGuests),
    listSpaceIntegrations: allow(`GET ${inSpace}/integrations`, givenRead),
    listBlocksOfSpace: allow(`GET ${inSpace}/integration-blocks`, givenRead),
    listSpaceIntegrationScripts: allow(`GET ${inSpace}/integration-scripts`, givenRead),
    listSpaceIntegrationBlocks: allow(`GET ${inSpace}/integrations-blocks`, givenRead),
    listSiteIntegrations: allow(`GET ${atSite}/integrations`, hiddenFromGuests),
    listSiteIntegrationScripts: allow(`GET ${atSite}/integration-scripts`, everybody),
    getContentByUrl: allow(`GET /v1/urls/content?url=${encodeURIComponent(appUrl)}`, givenRead),
    getEmbed: allow(`GET ${inSpace}/embed?url=${encodeURIComponent("https://site.example/docs/")}`, givenRead),
    getUrlEmbed: allow(`GET /v1/urls/embed?url=${encodeURIComponent("https://site.example/docs/")}`, {}),
    downloadIntegrationAsset: allow(`GET ${cast.integrationIcon}`, everybody),
    listJobs: allow(`GET ${at}/jobs`, admins),
    streamEvents: allow(`GET ${at}/events?seconds=0`, members),
    retryJob: allow(`POST ${at}/jobs/${parkedJob}/retry`, adminsSee),
    listSsoProviders: allow(`GET ${at}/sso`, members),
  };
}

function installationExamples({
  event,
  org,
  thirdOrg,
  integration,
  installation,
  task,
  space,
  innerSpace,
  foreignSpace,
  site,
  plan,
  foreignSite,
}: Cast) {
  const at = `/v1/integrations/${integration}`;
  const one = `${at}/installations/${installation}`;
  const onSpace: Matrix = { ...givenRead, guest: 404 };
  return {
    listInstallations: allow(`GET ${at}/installations`, hiddenFromGuests),
    listOrganizationInstallations: allow(`GET /v1/orgs/${org}/installations`, noGuests),
    getInstallationStatus: allow(
      `GET /v1/orgs/${org}/integrations/${integration}/installation_status`,
      hiddenFromGuests,
    ),
    listInstallationStatuses: allow(
      `GET /v1/orgs/${org}/integrations/${integration}/installations-status`,
      hiddenFromGuests,
    ),
    installIntegration: allow(
      "POST /v1/integrations/rival-tool/installations",
      { ...admins, stranger: 400, rival: 400 },
      { send: { organization: org }, foreign: [{ at: "organization", send: { organization: thirdOrg } }] },
    ),
    getInstallation: allow(`GET ${one}`, hiddenFromGuests),
    updateInstallation: allow(`PATCH ${one}`, { ...admins, guest: 404 }, { send: { configuration: { a: 1 } } }),
    uninstallIntegration: allow(`DELETE ${one}`, { ...admins, guest: 404, stranger: 404, rival: 404 }),
    listIntegrationEvents: allow(`GET ${at}/events`, { ...admins, guest: 404 }),
    getIntegrationEvent: allow(`GET ${at}/events/${event}`, adminsSee),
    startDevelopment: allow(
      `PUT ${at}/dev`,
      { ...admins, guest: 404 },
      { send: { tunnelUrl: "https://tunnel.example" } },
    ),
    stopDevelopment: allow(`DELETE ${at}/dev`, { ...admins, guest: 404, stranger: 404, rival: 404 }),
    fetchFromIntegration: allow(`GET ${at}/public/integration/a/b?c=d`, everybody),
    postToIntegration: allow(`POST ${at}/public/integration`, everybody, { send: { a: 1 } }),
    putToIntegration: allow(`PUT ${at}/public/${installation}`, everybody, { send: { a: 1 } }),
    patchAtIntegration: allow(`PATCH ${at}/public/${installation}/${space}`, everybody, { send: { a: 1 } }),
    deleteAtIntegration: allow(`DELETE ${at}/public/integration/a`, everybody),
    renderComponent: allow(
      `GET ${at}/render?request=${LZString.compressToEncodedURIComponent(JSON.stringify(shownIn(space)))}`,
      givenRead,
    ),
    renderComponentByPost: allow(`POST ${at}/render`, givenRead, {
      send: shownIn(space),
      foreign: [
        { at: "context.spaceId", send: shownIn(foreignSpace) },
        {
          at: "context.organizationId",
          send: { ...shownIn(space), context: { type: "configuration_account", organizationId: thirdOrg } },
        },
        {
          at: "context.siteId",
          send: { ...shownIn(space), context: { type: "configuration_site", siteId: foreignSite } },
        },
      ],
    }),
    createInstallationToken: allow(`POST ${one}/tokens`, { ...admins, guest: 404 }),
    queueTask: allow(
      `POST ${one}/tasks`,
      { ...admins, guest: 404 },
      { send: { task: { type: "sweep" }, schedule: 60 } },
    ),
    queueIntegrationTask: allow(
      `POST ${at}/tasks`,
      { ...admins, guest: 404 },
      {
        send: { task: { type: "sweep" }, schedule: 60, installation },
        foreign: [
          {
            at: "installation",
            send: { task: { type: "sweep" }, installation: `ins_${thirdOrg.slice(4)}${"0".repeat(16)}` },
          },
        ],
      },
    ),
    listTasks: allow(`GET ${one}/tasks`, { ...admins, guest: 404 }),
    getTask: allow(`GET ${one}/tasks/${task}`, { ...admins, guest: 404 }),
    cancelTask: allow(`DELETE ${one}/tasks/${task}`, { ...admins, guest: 404, stranger: 404, rival: 404 }),
    listIntegrationSpaces: allow(`GET ${at}/spaces`, hiddenFromGuests),
    listInstallationSpaces: allow(`GET ${one}/spaces`, hiddenFromGuests),
    installOnSpace: allow(
      `POST ${one}/spaces`,
      { ...outsiders, guest: 404, read: 403, edit: 403, comment: 400, review: 400 },
      {
        send: { spaceId: innerSpace },
        foreign: [
          { at: "spaceId", send: { spaceId: foreignSpace } },
          { at: "space", send: { space: foreignSpace } },
        ],
      },
    ),
    getSpaceInstallation: allow(`GET ${one}/spaces/${space}`, onSpace),
    updateSpaceInstallation: allow(
      `PATCH ${one}/spaces/${space}`,
      { ...onSpace, read: 403, edit: 403 },
      { send: { externalIds: ["x"] } },
    ),
    uninstallFromSpace: allow(`DELETE ${one}/spaces/${space}`, {
      ...onSpace,
      comment: "nothing",
      review: "nothing",
      read: 403,
      edit: 403,
    }),
    listIntegrationSites: allow(`GET ${at}/sites`, hiddenFromGuests),
    listInstallationSites: allow(`GET ${one}/sites`, hiddenFromGuests),
    installOnSite: allow(`POST ${one}/sites`, siteEditors, {
      send: { siteId: plan },
      foreign: [
        { at: "siteId", send: { siteId: foreignSite } },
        { at: "site", send: { site: foreignSite } },
      ],
    }),
    getSiteInstallation: allow(`GET ${one}/sites/${site}`, hiddenFromGuests),
    updateSiteInstallation: allow(`PATCH ${one}/sites/${site}`, siteEditors, { send: { externalIds: ["x"] } }),
    uninstallFromSite: allow(`DELETE ${one}/sites/${site}`, siteEditors),
  } satisfies Partial<Record<OperationName, Example>>;
}

/** A component that is shown in a space. */
function shownIn(spaceId: string) {
  return { componentId: "card", props: {}, context: { type: "document", spaceId } };
}

/** The grants of spaces and of collections have the same rows. */
function grantExamples({ org, site, space, collection, ids, team, foreignTeam }: Cast) {
  const onSpace = grantRows(`/v1/spaces/${space}/permissions`);
  const onCollection = grantRows(`/v1/collections/${collection}/permissions`);
  const onSite = siteGrantRows(`/v1/orgs/${org}/sites/${site}/permissions`);
  return {
    grantOnSpace: onSpace.give,
    listUserGrantsOnSpace: onSpace.users,
    updateUserGrantOnSpace: onSpace.changeUser,
    removeUserGrantOnSpace: onSpace.removeUser,
    listTeamGrantsOnSpace: onSpace.teams,
    updateTeamGrantOnSpace: onSpace.changeTeam,
    removeTeamGrantOnSpace: onSpace.removeTeam,
    listAccessToSpace: onSpace.all,
    grantOnCollection: onCollection.give,
    listUserGrantsOnCollection: onCollection.users,
    updateUserGrantOnCollection: onCollection.changeUser,
    removeUserGrantOnCollection: onCollection.removeUser,
    listTeamGrantsOnCollection: onCollection.teams,
    updateTeamGrantOnCollection: onCollection.changeTeam,
    removeTeamGrantOnCollection: onCollection.removeTeam,
    listAccessToCollection: onCollection.all,
    grantOnSite: onSite.give,
    listUserGrantsOnSite: onSite.users,
    updateUserGrantOnSite: onSite.changeUser,
    removeUserGrantOnSite: onSite.removeUser,
    listTeamGrantsOnSite: onSite.teams,
    updateTeamGrantOnSite: onSite.changeTeam,
    removeTeamGrantOnSite: onSite.removeTeam,
    listAccessToSite: onSite.all,
  };

  function siteGrantRows(at: string) {
    const { give, ...rows } = grantRows(at);
    return {
      give: { ...give, who: siteEditors },
      users: { ...rows.users, who: hiddenFromGuests },
      changeUser: { ...rows.changeUser, ask: `PATCH ${at}/users/${ids.read}`, who: siteEditors },
      removeUser: allow(`DELETE ${at}/users/${ids.read}`, siteEditors),
      teams: { ...rows.teams, who: hiddenFromGuests },
      changeTeam: { ...rows.changeTeam, who: siteEditors },
      removeTeam: { ...rows.removeTeam, who: siteEditors },
      all: { ...rows.all, who: hiddenFromGuests },
    } satisfies Record<string, Example>;
  }

  function grantRows(at: string) {
    const give: Example = allow(`POST ${at}`, givenCreate, {
      send: { users: [{ id: ids.comment, role: "edit" }], teams: [{ id: team, role: "review" }] },
      foreign: [
        { at: "users.id", send: { users: [{ id: ids.rival, role: "read" }] } },
        { at: "teams.id", send: { teams: [{ id: foreignTeam, role: "read" }] } },
        { at: "users", send: { users: [ids.rival], role: "read" } },
        { at: "teams", send: { teams: [foreignTeam], role: "read" } },
      ],
    });
    const hidden: Matrix = { ...givenCreate, comment: 404, review: 404 };
    return {
      give,
      users: allow(`GET ${at}/users`, givenRead),
      changeUser: allow(`PATCH ${at}/users/${ids.guest}`, hidden, { send: { role: "comment" } }),
      removeUser: allow(`DELETE ${at}/users/${ids.guest}`, hidden),
      teams: allow(`GET ${at}/teams`, givenRead),
      changeTeam: allow(`PATCH ${at}/teams/${team}`, hidden, { send: { role: "comment" } }),
      removeTeam: allow(`DELETE ${at}/teams/${team}`, hidden),
      all: allow(`GET ${at}/aggregate`, givenRead),
    } satisfies Record<string, Example>;
  }
}
