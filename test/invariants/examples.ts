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
import { DAY, type Person, people, type Setting } from "../support/setting";
import { type Audience, audienceExamples, gatherAudience } from "./audience-examples";
import { type Assembled, assemble, assembleForeign, type ForeignItems, structureExamples } from "./site-examples";

/** The setting with one of everything in it. */
export interface Cast extends Setting {
  /** Owned by the editor. */
  readonly team: string;
  /** Of the other organization. */
  readonly foreignTeam: string;
  readonly link: string;
  /** For the stranger. */
  readonly emailInvite: string;
  readonly saml: string;
  readonly scimToken: string;
  /** Of the admin. */
  readonly token: string;
  /** Of the admin. */
  readonly session: string;
  readonly parkedJob: string;
  /** With `innerSpace` in it. */
  readonly collection: string;
  readonly innerSpace: string;
  /** At the top, closed to everybody who was not given anything on it: guests and the writers' team were. */
  readonly space: string;
  readonly deletedSpace: string;
  /** Of the other organization. */
  readonly foreignSpace: string;
  readonly foreignCollection: string;
  /** The stranger's. */
  readonly thirdOrg: string;
  /** In `space`. */
  readonly content: Content;
  /** In `foreignSpace`. */
  readonly foreignContent: Content;
  /** In `space`, by the editor. */
  readonly changeRequest: string;
  /** Of `foreignSpace`. */
  readonly foreignChangeRequest: string;
  /** A revision of `space` that an import made. */
  readonly imported: string;
  /** Private, of the organization. */
  readonly integration: string;
  /** Of it, on `space` and on `site`. */
  readonly installation: string;
  /** Of it, for tomorrow. */
  readonly task: string;
  /** That it was installed. */
  readonly event: string;
  /** The path of a URL to download its icon from. */
  readonly integrationIcon: string;
  /** The slug of a public OpenAPI specification, its id, and its version. */
  readonly spec: string;
  readonly specId: string;
  readonly specVersion: string;
  readonly spaceTalk: Talk;
  readonly changeRequestTalk: Talk;
  /** With `innerSpace` and `space` on it, published. */
  readonly site: string;
  /** Of the other organization, with `foreignSpace` on it. */
  readonly foreignSite: string;
  /** With sections, not published. */
  readonly plan: string;
  readonly assembled: Assembled;
  readonly foreignItems: ForeignItems;
  /** Of `site`. */
  readonly audience: Audience;
  /** `space` on `site`; `innerSpace` is its default. */
  readonly siteSpace: string;
  readonly foreignSiteSpace: string;
  /** From `/old` of `site` to elsewhere. */
  readonly siteRedirect: string;
  readonly font: string;
  readonly foreignFont: string;
  /** Of `space`, by the admin. */
  readonly translation: string;
}

/** A comment of the editor's, and a reply of theirs. */
interface Talk {
  readonly comment: string;
  readonly reply: string;
}

async function talk({ ask }: Setting, at: string): Promise<Talk> {
  const comment = (await ask("edit", `POST ${at}/comments`, { body: { markdown: "Hm." } })).body.id;
  const reply = (await ask("edit", `POST ${at}/comments/${comment}/replies`, { body: { markdown: "Yes." } })).body.id;
  return { comment, reply };
}

/** One of everything that a space can hold. */
interface Content {
  readonly page: string;
  /** Of the page. */
  readonly document: string;
  readonly file: string;
  readonly reusable: string;
  readonly revision: string;
  /** The path of a URL to download the file from. */
  readonly download: string;
  /** The path of a URL to read the space as PDF from. */
  readonly pdf: string;
}

async function fill({ ask }: Setting, as: Person, space: string): Promise<Content> {
  const changes = [
    { operation: "insert_reusable_content", title: "Note", document: { markdown: "Mind the gap." } },
    {
      operation: "insert_files",
      files: [{ name: "a.txt", contentType: "text/plain", base64: btoa("Hello"), ref: "file" }],
    },
    { operation: "insert_page", title: "Start", document: { markdown: "[A file](./file), a word: xylophone." } },
  ];
  const { body } = await ask(as, `POST /v1/spaces/${space}/content`, { changes });
  const file = body.insertedFiles[0].id;
  const { downloadURL } = (await ask(as, `GET /v1/spaces/${space}/content/files/${file}`)).body;
  const { url } = (await ask(as, `GET /v1/spaces/${space}/pdf`)).body;
  const page = body.changes[1].page.id;
  return {
    page,
    document: (await ask(as, `GET /v1/spaces/${space}/content/page/${page}`)).body.documentId,
    file,
    reusable: body.changes[0].reusableContent,
    revision: body.revision,
    download: new URL(downloadURL).pathname,
    pdf: new URL(url).pathname,
  };
}

/** A picture of one pixel. */
export const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/** A specification that holds next to nothing. */
const FONT = {
  fontFamily: "Acme Sans",
  fontFaces: [{ weight: 400, sources: [{ url: "https://example.com/sans.woff2" }] }],
};
const SPECIFICATION = "openapi: 3.1.0\ninfo: { title: Pets, version: '1' }\npaths: {}\n";

export { parrot };

/** Something to import: one of its images is not there. */
const guide = { url: "https://files.example/guide.md", source: "markdown" };

/** A repository that is not there: the request is taken, and fails afterwards. */
const repository = { url: "https://files.example/none.git", ref: "refs/heads/main" };

/** A translator that knows no language: translations are made, and fail afterwards. */
export const mute: Translator = async () => {
  throw new TranslatorError("rejected", "The translator does not know this language.");
};

export async function prepare(setting: Setting): Promise<Cast> {
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
  const session = await signIn(setting, "admin");
  const { parkedJob } = await parkJob(setting);
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
  const imported = (await ask("admin", `POST /v1/spaces/${space}/content/import`, guide)).body.revision;
  await ask("admin", `POST /v1/spaces/${space}/git/import`, repository);
  const content = await fill(setting, "admin", space);
  const foreignContent = await fill(setting, "rival", foreignSpace);
  const changeRequest = await id(ask("edit", `POST /v1/spaces/${space}/change-requests`, { subject: "Change" }));
  const foreignChangeRequest = await id(
    ask("rival", `POST /v1/spaces/${foreignSpace}/change-requests`, { subject: "T" }),
  );
  const changes = [{ operation: "insert_page", title: "More", document: { markdown: "More." } }];
  await ask("edit", `POST /v1/spaces/${space}/change-requests/${changeRequest}/content`, { changes });
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
    event: told.body.items.at(-1).id,
    installation,
    integration,
    task,
    integrationIcon: new URL(published.body.urls.icon).pathname,
    changeRequest,
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
    (await ask(null, "POST /v1/urls/published", { url: `http://localhost:3000/sites/${path}` })).body.siteSpace;
  const siteSpace = await siteSpaceAt(`${org}/docs/secrets`);
  const foreignSiteSpace = await siteSpaceAt(`${otherOrg}/theirs`);
  const leaving = { source: "/old", destination: { kind: "url", url: "https://example.com/new" } };
  const siteRedirect = await id(ask("admin", `POST /v1/orgs/${org}/sites/${site}/redirects`, leaving));
  const asBefore = { users: [{ id: ids.read, role: "read" }], teams: [{ id: team, role: "read" }] };
  await ask("admin", `POST /v1/orgs/${org}/sites/${site}/permissions`, asBefore);
  const font = await id(ask("admin", `POST /v1/orgs/${org}/fonts`, FONT));
  const foreignFont = await id(ask("rival", `POST /v1/orgs/${otherOrg}/fonts`, FONT));
  const translation = await id(
    ask("admin", `POST /v1/orgs/${org}/translations`, { language: "de", source: { space } }),
  );
  const tree = {
    ...talks,
    plan: assembled.site,
    assembled,
    foreignItems,
    audience,
    site,
    foreignSite,
    spec: "pet-store",
    specId,
    specVersion,
    siteSpace,
    foreignSiteSpace,
    siteRedirect,
    font,
    foreignFont,
    translation,
    imported,
    content,
    foreignContent,
    thirdOrg,
    collection,
    innerSpace,
    space,
    deletedSpace,
    foreignSpace,
    foreignCollection,
  };
  return {
    ...setting,
    ...tree,
    parkedJob,
    team,
    foreignTeam,
    link,
    emailInvite: invited.body.invites[0].id,
    saml,
    scimToken: await id(ask("admin", `POST /v1/orgs/${org}/scim-tokens`, { label: "Okta" })),
    token,
    session,
  };
}

/** The rows of a discussion, of whichever kind. */
function talkExamples<Kind extends "Space" | "ChangeRequest">(kind: Kind, at: string, { comment, reply }: Talk) {
  const one = `${at}/comments/${comment}`;
  const many: Matrix = { ...givenRead, guest: 403 };
  const said: Matrix = { ...givenRead, guest: 404 };
  const deletes: Matrix = { ...outsiders, comment: 404, review: 404, guest: "nothing", read: 403 };
  const inReply: Matrix = { ...outsiders, comment: 404, review: 404, guest: 404, read: 403 };
  const body = { markdown: "New." };
  return {
    [`list${kind}Comments`]: {
      ask: `GET ${at}/comments`,
      who: many,
      foreign: [
        { at: "targetPage", ask: `GET ${at}/comments?targetPage=pag_none`, finds: "nothing" },
        { at: "authors", ask: `GET ${at}/comments?authors=usr_none`, finds: "nothing" },
      ],
    },
    [`postCommentOn${kind}`]: {
      ask: `POST ${at}/comments`,
      send: { body },
      who: many,
      foreign: [{ at: "page", send: { body, page: "pag_none" } }],
    },
    [`get${kind}Comment`]: { ask: `GET ${one}`, who: said },
    [`update${kind}Comment`]: { ask: `PUT ${one}`, send: { addedReactions: ["1f44d"] }, who: said },
    [`delete${kind}Comment`]: { ask: `DELETE ${one}`, who: deletes },
    [`list${kind}CommentReplies`]: { ask: `GET ${one}/replies`, who: said },
    [`replyTo${kind}Comment`]: { ask: `POST ${one}/replies`, send: { body }, who: said },
    [`get${kind}CommentReply`]: { ask: `GET ${one}/replies/${reply}`, who: said },
    [`update${kind}CommentReply`]: {
      ask: `PUT ${one}/replies/${reply}`,
      send: { addedReactions: ["1f44d"] },
      who: said,
    },
    [`delete${kind}CommentReply`]: { ask: `DELETE ${one}/replies/${reply}`, who: inReply },
    [`list${kind}Commenters`]: { ask: `GET ${at}/commenters`, who: many },
  } as unknown as Record<Extract<OperationName, `${string}${Kind}Comment${string}` | `postCommentOn${Kind}`>, Example>;
}

/** Leaves a job behind that was given up: no failure that the API can be made to have is that stubborn. */
export async function parkJob({ storage, org, ids }: Setting): Promise<{ parkedJob: string }> {
  const code = org.slice("org_".length);
  const parkedJob = `job_${code}0000000000000000`;
  const payload = { organization: org, user: ids.stranger };
  const value = { step: "sync-membership", payload, createdAt: 0, attempts: 12, error: "The directory was away." };
  const batch = { checks: [], puts: [{ key: encodeKey("parked-job", parkedJob), value }], deletes: [], adds: [] };
  await storage.partition(`org-${code}`).commit(batch);
  return { parkedJob };
}

/** Begins a session as a browser would, and gives its id. */
async function signIn({ api, ids, clock }: Setting, person: Person): Promise<string> {
  const seenAt = clock.now.toISOString();
  const session: SessionRecord = {
    id: "ses_0000000000000000",
    hash: "0".repeat(64),
    user: ids[person],
    by: "email",
    passed: [],
    createdAt: seenAt,
    seenAt,
    idleMs: 14 * DAY,
    endsAt: new Date(clock.now.getTime() + 90 * DAY).toISOString(),
    address: "192.0.2.7",
    userAgent: "Mozilla/5.0",
  };
  await getApiInternals(api).kernel.store.write(DIRECTORY, (tx) => sessions.put(tx, session));
  return session.id;
}

/** The status for each person; what is not named succeeds. */
export type Matrix = Partial<Record<Person, 400 | 403 | 404 | 409 | "nothing">>;

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

export interface Example {
  /** A method and a path. */
  readonly ask: string;
  readonly send?: unknown;
  readonly who: Matrix;
  /** Scopes that a token needs beside that of the operation, because of what the answer opens. */
  readonly alsoScopes?: readonly string[];
  /** Bodies or queries that name something of another organization: each must be refused, or find nothing. */
  readonly foreign?: readonly {
    readonly at: string;
    /** Default: the first who may. */
    readonly as?: Person;
    readonly ask?: string;
    readonly send?: unknown;
    readonly finds?: "nothing";
  }[];
}

export function examples(cast: Cast): Record<OperationName, Example> {
  const {
    translation,
    org,
    otherOrg,
    thirdOrg,
    ids,
    team,
    foreignTeam,
    link,
    emailInvite,
    saml,
    scimToken,
    token,
    session,
    parkedJob,
    collection,
    space,
    innerSpace,
    deletedSpace,
    foreignSpace,
    foreignCollection,
    content,
    foreignContent,
    imported,
    changeRequest,
    foreignChangeRequest,
    spaceTalk,
    changeRequestTalk,
    site,
    integration,
    spec,
    specId,
    specVersion,
    siteSpace,
    foreignSiteSpace,
    siteRedirect,
    font,
    foreignFont,
  } = cast;
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
    getService: { ask: "GET /v1/", who: everybody },
    getOpenApi: { ask: "GET /v1/openapi.json", who: everybody },
    getHealth: { ask: "GET /v1/health", who: everybody },
    getReadiness: { ask: "GET /v1/ready", who: everybody },
    getCurrentUser: { ask: "GET /v1/user", who: everybody },
    getUser: { ask: `GET /v1/users/${ids.read}`, who: hiddenFromGuests },
    exportCurrentUser: { ask: "GET /v1/user/export", who: everybody },
    leaveOrganizations: { ask: "DELETE /v1/user/organizations", who: exceptForLastAdmins },
    eraseCurrentUser: { ask: "DELETE /v1/user", who: exceptForLastAdmins },
    listTokens: { ask: "GET /v1/user/tokens", who: everybody },
    createToken: { ask: "POST /v1/user/tokens", send: { label: "New" }, who: everybody },
    revokeToken: { ask: `DELETE /v1/user/tokens/${token}`, who: exceptFor("admin", "nothing") },
    listSessions: { ask: "GET /v1/user/sessions", who: everybody },
    endSession: { ask: `DELETE /v1/user/sessions/${session}`, who: exceptFor("admin", "nothing") },
    endSessions: { ask: "DELETE /v1/user/sessions", who: everybody },
    listOrganizations: { ask: "GET /v1/orgs", who: everybody },
    createOrganization: {
      ask: "POST /v1/orgs",
      send: { title: "New", hostname: "brand-new", emailDomains: ["new.example"] },
      who: everybody,
    },
    getOrganization: { ask: `GET ${at}`, who: members },
    updateOrganization: {
      ask: `PATCH ${at}`,
      send: { title: "Changed", hostname: "changed", emailDomains: ["changed.example"] },
      who: admins,
      foreign: [{ at: "defaultContent.site", send: { defaultContent: { type: "site", site: cast.foreignSite } } }],
    },
    listAuditEvents: {
      ask: `GET ${at}/audit-events`,
      who: admins,
      foreign: [
        { at: "actor", ask: `GET ${at}/audit-events?actor=${ids.rival}`, finds: "nothing" },
        { at: "thing", ask: `GET ${at}/audit-events?thing=${cast.foreignSpace}`, finds: "nothing" },
      ],
    },
    exportAuditEvents: {
      ask: `GET ${at}/audit-events/export`,
      who: admins,
      foreign: [
        { at: "actor", ask: `GET ${at}/audit-events/export?actor=${ids.rival}`, finds: "nothing" },
        { at: "thing", ask: `GET ${at}/audit-events/export?thing=${cast.foreignSpace}`, finds: "nothing" },
      ],
    },
    listAuditEventActions: { ask: `GET ${at}/audit-event-actions`, who: admins },
    searchOrganization: { ask: `GET ${at}/search?query=x`, who: members },
    askOrganization: { ask: `POST ${at}/ask`, send: { question: "xylophone" }, who: members },
    askSpace: { ask: `POST ${inSpace}/ask`, send: { question: "xylophone" }, who: givenRead },
    searchSpace: { ask: `GET ${inSpace}/search?query=xylophone`, who: givenRead },
    listTemplates: { ask: "GET /v1/templates", who: everybody },
    getContent: { ask: `GET ${inContent}`, who: givenRead },
    listPages: { ask: `GET ${inContent}/pages`, who: givenRead },
    getPage: { ask: `GET ${inContent}/page/${content.page}`, who: givenRead },
    getPageByPath: { ask: `GET ${inContent}/path/start`, who: givenRead },
    computeRevision: {
      ask: `POST ${inContent}/computed/revision`,
      send: { source: { type: "builtin:openapi", props: { spec } }, seed: "s" },
      who: givenEdit,
    },
    computeDocument: {
      ask: `POST ${inContent}/computed/document`,
      send: { source: { type: "integration:acme-bot:pages" }, seed: "s" },
      who: givenEdit,
    },
    getPageDocument: { ask: `GET ${inContent}/page/${content.page}/document`, who: givenRead },
    previewPage: {
      ask: `POST ${inContent}/page/${content.page}/preview`,
      send: { markdown: "# Start\n\nA [link](more.md).\n" },
      who: givenRead,
    },
    getDocument: { ask: `GET ${inSpace}/documents/${content.document}`, who: givenRead },
    listFiles: { ask: `GET ${inContent}/files`, who: givenRead },
    getFile: { ask: `GET ${inContent}/files/${content.file}`, who: givenRead },
    getReusableContent: { ask: `GET ${inContent}/reusable-contents/${content.reusable}`, who: givenRead },
    getReusableContentDocument: {
      ask: `GET ${inContent}/reusable-contents/${content.reusable}/document`,
      who: givenRead,
    },
    downloadFile: { ask: `GET ${content.download}`, who: everybody },
    getPdf: {
      ask: `GET ${inSpace}/pdf?page=${content.page}`,
      who: givenRead,
      foreign: [{ at: "page", ask: `GET ${inSpace}/pdf?page=${foreignContent.page}` }],
    },
    downloadPdf: { ask: `GET ${content.pdf}`, who: everybody },
    listSpaceLinks: { ask: `GET ${inSpace}/links`, who: givenRead },
    listLinksOfPage: { ask: `GET ${inContent}/page/${content.page}/links`, who: givenRead },
    listBacklinksOfPage: { ask: `GET ${inContent}/page/${content.page}/backlinks`, who: givenRead },
    listBacklinksOfFile: { ask: `GET ${inContent}/files/${content.file}/backlinks`, who: givenRead },
    listChangeRequests: {
      ask: `GET ${inSpace}/change-requests?status=draft`,
      who: givenRead,
      foreign: [
        { at: "contributor", ask: `GET ${inSpace}/change-requests?contributor=${ids.rival}`, finds: "nothing" },
      ],
    },
    createChangeRequest: { ask: `POST ${inSpace}/change-requests`, send: { subject: "New" }, who: givenEdit },
    listOrganizationChangeRequests: {
      ask: `GET ${at}/change-requests?status=draft`,
      who: members,
      foreign: [
        { at: "space", ask: `GET ${at}/change-requests?space=${foreignSpace}`, finds: "nothing" },
        { at: "creator", ask: `GET ${at}/change-requests?creator=${ids.rival}`, finds: "nothing" },
        { at: "contributor", ask: `GET ${at}/change-requests?contributor=${ids.rival}`, finds: "nothing" },
      ],
    },
    getChangeRequest: { ask: `GET ${inChange}`, who: givenRead },
    updateChangeRequest: { ask: `PATCH ${inChange}`, send: { status: "open" }, who: givenEdit },
    changeChangeRequestContent: {
      ask: `POST ${inChange}/content`,
      send: change({ operation: "insert_page", title: "New", document: { markdown: "Text" } }),
      who: givenEdit,
      foreign: foreignChanges,
    },
    mergeChangeRequest: { ask: `POST ${inChange}/merge`, who: { ...givenRead, guest: 403, read: 403, edit: 403 } },
    updateFromSpace: { ask: `POST ${inChange}/update`, who: givenEdit },
    getChangeRequestContent: { ask: `GET ${inChange}/content`, who: givenRead },
    listChangeRequestPages: { ask: `GET ${inChange}/content/pages`, who: givenRead },
    getChangeRequestPage: { ask: `GET ${inChange}/content/page/${content.page}`, who: givenRead },
    getChangeRequestPageDocument: { ask: `GET ${inChange}/content/page/${content.page}/document`, who: givenRead },
    previewChangeRequestPage: {
      ask: `POST ${inChange}/content/page/${content.page}/preview`,
      send: { markdown: "# Start\n\nA [link](more.md).\n" },
      who: givenRead,
    },
    getChangeRequestReusableContentDocument: {
      ask: `GET ${inChange}/content/reusable-contents/${content.reusable}/document`,
      who: givenRead,
    },
    getChangeRequestPageByPath: { ask: `GET ${inChange}/content/path/start`, who: givenRead },
    listChangeRequestFiles: { ask: `GET ${inChange}/content/files`, who: givenRead },
    getChangeRequestFile: { ask: `GET ${inChange}/content/files/${content.file}`, who: givenRead },
    getChangeRequestReusableContent: {
      ask: `GET ${inChange}/content/reusable-contents/${content.reusable}`,
      who: givenRead,
    },
    getChangeRequestPdf: {
      ask: `GET ${inChange}/pdf?page=${content.page}&only=true`,
      who: givenRead,
      foreign: [{ at: "page", ask: `GET ${inChange}/pdf?page=${foreignContent.page}` }],
    },
    listChangeRequestLinks: { ask: `GET ${inChange}/links`, who: givenRead },
    listLinksOfChangeRequestPage: { ask: `GET ${inChange}/content/page/${content.page}/links`, who: givenRead },
    listBacklinksOfChangeRequestPage: { ask: `GET ${inChange}/content/page/${content.page}/backlinks`, who: givenRead },
    listBacklinksOfChangeRequestFile: {
      ask: `GET ${inChange}/content/files/${content.file}/backlinks`,
      who: givenRead,
    },
    listChangesOfChangeRequest: { ask: `GET ${inChange}/changes`, who: givenRead },
    listReviews: { ask: `GET ${inChange}/reviews`, who: givenRead },
    reviewChangeRequest: {
      ask: `POST ${inChange}/reviews`,
      send: { status: "approved" },
      who: { ...givenRead, guest: 403, read: 403, edit: 403 },
    },
    listRequestedReviewers: { ask: `GET ${inChange}/requested-reviewers`, who: givenRead },
    requestReviewers: {
      ask: `POST ${inChange}/requested-reviewers`,
      send: { users: [ids.create] },
      who: givenEdit,
      foreign: [{ at: "users", send: { users: [ids.rival] } }],
    },
    removeRequestedReviewer: {
      ask: `DELETE ${inChange}/requested-reviewers/${ids.create}`,
      who: { ...givenEdit, stranger: 404, rival: 404, comment: 404, review: 404 },
    },
    ...talkExamples("Space", inSpace, spaceTalk),
    ...talkExamples("ChangeRequest", inChange, changeRequestTalk),
    changeContent: {
      ask: `POST ${inContent}`,
      send: change({ operation: "insert_page", title: "New", document: { markdown: "Text" } }),
      who: givenEdit,
      foreign: foreignChanges,
    },
    applyTemplate: {
      ask: `POST ${inContent}/template`,
      send: { id: "knowledge-base" },
      who: givenEdit,
      foreign: [{ at: "id", send: { id: foreignSpace } }],
    },
    importContent: { ask: `POST ${inContent}/import`, send: guide, who: givenEdit },
    importIntoPage: {
      ask: `POST ${inContent}/page/${content.page}/import`,
      send: { source: "markdown", text: "Imported.\n" },
      who: givenEdit,
    },
    importIntoChangeRequestPage: {
      ask: `POST ${inChange}/content/page/${content.page}/import`,
      send: { source: "markdown", text: "Imported.\n" },
      who: givenEdit,
    },
    importChangeRequestContent: { ask: `POST ${inChange}/content/import`, send: guide, who: givenEdit },
    getImportReport: { ask: `GET ${inSpace}/revisions/${imported}/import`, who: givenRead },
    importFromGit: { ask: `POST ${inSpace}/git/import`, send: repository, who: givenCreate },
    exportToGit: {
      ask: `POST ${inSpace}/git/export`,
      send: { ...repository, commitMessage: "Update the docs" },
      who: givenCreate,
    },
    listTranslations: { ask: `GET ${at}/translations`, who: members },
    createTranslation: {
      ask: `POST ${at}/translations`,
      send: { language: "fr", source: { space } },
      who: creators,
      foreign: [{ at: "source.space", send: { language: "fr", source: { space: foreignSpace } } }],
    },
    getTranslation: { ask: `GET ${inTranslation}`, who: givenRead },
    updateTranslation: {
      ask: `PUT ${inTranslation}`,
      send: { instructions: { object: "document", data: {}, nodes: [] } },
      who: { ...givenCreate, create: 403 },
    },
    runTranslationAgain: { ask: `POST ${inTranslation}/run`, who: { ...givenCreate, create: 403 } },
    deleteTranslation: { ask: `DELETE ${inTranslation}`, who: { ...givenCreateDeletes, ...outsiders, create: 403 } },
    getGitInfo: { ask: `GET ${inSpace}/git/info`, who: givenRead },
    removeGitSync: { ask: `DELETE ${inSpace}/git/legacy-installation`, who: givenCreate },
    listRevisions: { ask: `GET ${inSpace}/revisions`, who: givenRead },
    getRevision: { ask: `GET ${inRevision}`, who: givenRead },
    listRevisionPages: { ask: `GET ${inRevision}/pages`, who: givenRead },
    listRevisionFiles: { ask: `GET ${inRevision}/files`, who: givenRead },
    getRevisionPage: { ask: `GET ${inRevision}/page/${content.page}`, who: givenRead },
    getRevisionFile: { ask: `GET ${inRevision}/files/${content.file}`, who: givenRead },
    getRevisionPageDocument: { ask: `GET ${inRevision}/page/${content.page}/document`, who: givenRead },
    getRevisionReusableContentDocument: {
      ask: `GET ${inRevision}/reusable-contents/${content.reusable}/document`,
      who: givenRead,
    },
    getRevisionPageByPath: { ask: `GET ${inRevision}/path/start`, who: givenRead },
    getRevisionReusableContent: { ask: `GET ${inRevision}/reusable-contents/${content.reusable}`, who: givenRead },
    listRevisionChanges: { ask: `GET ${inRevision}/changes`, who: givenRead },
    listOrganizationsByEmailDomain: { ask: "GET /v1/email-domains/example.com/orgs", who: everybody },
    pingOrganization: { ask: `POST ${at}/ping`, who: members },
    getSubdomain: { ask: "GET /v1/subdomains/acme", who: everybody },
    listMembers: { ask: `GET ${at}/members`, who: noGuests },
    getMember: { ask: `GET ${at}/members/${ids.read}`, who: hiddenFromGuests },
    updateMember: { ask: `PATCH ${at}/members/${ids.read}`, send: { role: "edit" }, who: { ...admins, guest: 404 } },
    removeMember: {
      ask: `DELETE ${at}/members/${ids.read}`,
      who: { ...outsiders, guest: "nothing", comment: 403, edit: 403, review: 403, create: 403 },
    },
    makeMemberSso: { ask: `POST ${at}/members/${ids.read}/sso`, who: { ...admins, guest: 404 } },
    listMemberSpaces: { ask: `GET ${at}/members/${ids.read}/spaces`, who: hiddenFromGuests },
    listMemberTeams: { ask: `GET ${at}/members/${ids.read}/teams`, who: hiddenFromGuests },
    inviteByEmail: { ask: `POST ${at}/invites`, send: { emails: ["new@example.com"] }, who: admins },
    listEmailInvites: { ask: `GET ${at}/invites`, who: admins },
    sendEmailInvite: { ask: `POST ${at}/invites/${emailInvite}/send`, who: adminsSee },
    deleteEmailInvite: { ask: `DELETE ${at}/invites/${emailInvite}`, who: onlyAdminsDelete },
    acceptInvite: { ask: `POST ${at}/invites/${emailInvite}`, who: theInvited },
    listLinkInvites: { ask: `GET ${at}/link-invites`, who: admins },
    createLinkInvite: { ask: `POST ${at}/link-invites`, send: { role: "read" }, who: admins },
    getLinkInvite: { ask: `GET ${at}/link-invites/${link}`, who: adminsSee },
    updateLinkInvite: { ask: `PATCH ${at}/link-invites/${link}`, send: { role: "edit" }, who: adminsSee },
    deleteLinkInvite: { ask: `DELETE ${at}/link-invites/${link}`, who: onlyAdminsDelete },
    listSites: {
      ask: `GET ${at}/sites`,
      who: noGuests,
      foreign: [{ at: "space", ask: `GET ${at}/sites?space=${foreignSpace}`, finds: "nothing" }],
    },
    createSite: {
      ask: `POST ${at}/sites`,
      send: { title: "Manual", spaces: [space] },
      who: creators,
      foreign: [{ at: "spaces", send: { spaces: [foreignSpace] } }],
    },
    getSite: { ask: `GET ${atSite}`, who: hiddenFromGuests },
    updateSite: {
      ask: `PATCH ${atSite}`,
      send: { title: "Handbook", hostname: "docs.example.com", defaultSiteSpace: siteSpace },
      who: siteEditors,
      foreign: [
        { at: "defaultSiteSpace", send: { defaultSiteSpace: foreignSiteSpace } },
        { at: "defaultSiteSection", send: { defaultSiteSection: foreignSiteSpace } },
      ],
    },
    deleteSite: { ask: `DELETE ${atSite}`, who: { ...siteEditors, guest: "nothing" } },
    publishSite: { ask: `POST ${atSite}/publish`, who: siteEditors },
    unpublishSite: { ask: `POST ${atSite}/unpublish`, who: siteEditors },
    updateSiteAds: { ask: `POST ${atSite}/ads`, send: { status: "in-review", topic: "webdev" }, who: siteEditors },
    getSiteCustomization: { ask: `GET ${atSite}/customization`, who: siteEditors },
    setSiteCustomization: { ask: `PUT ${atSite}/customization`, send: look, who: siteEditors, foreign: foreignLinks },
    getSiteSpaceCustomization: { ask: `GET ${atSite}/site-spaces/${siteSpace}/customization`, who: siteEditors },
    updateSiteSpaceCustomization: {
      ask: `PATCH ${atSite}/site-spaces/${siteSpace}/customization`,
      send: look,
      who: siteEditors,
      foreign: foreignLinks,
    },
    resetSiteSpaceCustomization: { ask: `DELETE ${atSite}/site-spaces/${siteSpace}/customization`, who: siteEditors },
    listFonts: { ask: `GET ${at}/fonts`, who: noGuests },
    createFont: { ask: `POST ${at}/fonts`, send: FONT, who: creators },
    getFont: { ask: `GET ${at}/fonts/${font}`, who: hiddenFromGuests },
    deleteFont: { ask: `DELETE ${at}/fonts/${font}`, who: { ...siteEditors, guest: "nothing" } },
    listSiteRedirects: { ask: `GET ${atSite}/redirects`, who: siteEditors },
    createSiteRedirect: {
      ask: `POST ${atSite}/redirects`,
      send: { source: "/older", destination: toPage },
      who: siteEditors,
      foreign: foreignDestinations.map(([member, destination]) => ({
        at: `destination.${member}`,
        send: { source: "/older", destination },
      })),
    },
    createSiteRedirects: {
      ask: `POST ${atSite}/redirects/bulk`,
      send: {
        redirects: [
          { source: "/older", destination: toPage },
          { source: "/oldest", destination: { kind: "url", url: "https://example.com" } },
        ],
      },
      who: siteEditors,
      foreign: foreignDestinations.map(([member, destination]) => ({
        at: `redirects.destination.${member}`,
        send: { redirects: [{ source: "/older", destination }] },
      })),
    },
    getSiteRedirect: { ask: `GET ${atSite}/redirects/${siteRedirect}`, who: siteEditors },
    updateSiteRedirect: {
      ask: `PATCH ${atSite}/redirects/${siteRedirect}`,
      send: { destination: { kind: "site-space", siteSpaceId: siteSpace } },
      who: siteEditors,
      foreign: foreignDestinations.map(([member, destination]) => ({
        at: `destination.${member}`,
        send: { destination },
      })),
    },
    deleteSiteRedirect: { ask: `DELETE ${atSite}/redirects/${siteRedirect}`, who: siteEditors },
    getSiteRedirectTarget: { ask: `GET ${atSite}/redirect?source=%2Fold`, who: everybody },
    previewSite: {
      ask: `POST ${atSite}/preview`,
      send: { siteSpaceId: siteSpace, changeRequestId: changeRequest },
      who: siteEditors,
      alsoScopes: ["revisions:read", "change-requests:read"],
      foreign: [
        { at: "siteSpaceId", send: { siteSpaceId: foreignSiteSpace, changeRequestId: changeRequest } },
        { at: "changeRequestId", send: { siteSpaceId: siteSpace, changeRequestId: foreignChangeRequest } },
        { at: "revisionId", send: { siteSpaceId: siteSpace, revisionId: foreignContent.revision } },
      ],
    },
    resolvePublishedUrl: {
      ask: "POST /v1/urls/published",
      send: { url: `http://localhost:3000/sites/${org}/docs` },
      who: everybody,
    },
    listTeams: {
      ask: `GET ${at}/teams`,
      who: noGuests,
      foreign: [{ at: "owner", ask: `GET ${at}/teams?owner=${ids.rival}`, finds: "nothing" }],
    },
    createTeam: {
      ask: `PUT ${at}/teams`,
      send: { title: "New", members: [ids.read] },
      who: admins,
      foreign: [{ at: "members", send: { title: "New", members: [ids.rival] } }],
    },
    listOpenApiSpecs: { ask: `GET ${at}/openapi`, who: noGuests },
    createOpenApiSpec: {
      ask: `POST ${at}/openapi`,
      send: { slug: "other", source: { text: SPECIFICATION } },
      who: creators,
    },
    getOpenApiSpec: { ask: `GET ${inSpec}`, who: hiddenFromGuests },
    putOpenApiSpec: {
      ask: `PUT ${inSpec}`,
      send: { source: { text: `${SPECIFICATION}tags: []\n` } },
      who: specEditors,
    },
    updateOpenApiSpec: { ask: `PATCH ${inSpec}`, send: { visibility: "private" }, who: specEditors },
    deleteOpenApiSpec: { ask: `DELETE ${inSpec}`, who: { ...specEditors, guest: "nothing" } },
    listOpenApiSpecVersions: { ask: `GET ${inSpec}/versions`, who: hiddenFromGuests },
    getLatestOpenApiSpecVersion: { ask: `GET ${inSpec}/versions/latest`, who: hiddenFromGuests },
    getLatestOpenApiSpecContent: { ask: `GET ${inSpec}/versions/latest/content`, who: hiddenFromGuests },
    getLatestOpenApiSpecText: { ask: `GET ${inSpec}/versions/latest/content/raw`, who: hiddenFromGuests },
    getOpenApiSpecVersion: { ask: `GET ${inSpec}/versions/${specVersion}`, who: hiddenFromGuests },
    getOpenApiSpecContent: { ask: `GET ${inSpec}/versions/${specVersion}/content`, who: hiddenFromGuests },
    getOpenApiSpecText: { ask: `GET ${inSpec}/versions/${specVersion}/content/raw`, who: hiddenFromGuests },
    getPublicOpenApiSpec: { ask: `GET /v1/public/openapi/${specId}`, who: everybody },
    getPublicOpenApiSpecContent: { ask: `GET /v1/public/openapi/${specId}/content`, who: everybody },
    getTeam: { ask: `GET ${at}/teams/${team}`, who: hiddenFromGuests },
    updateTeam: { ask: `PATCH ${at}/teams/${team}`, send: { title: "Changed" }, who: teamManagers },
    deleteTeam: {
      ask: `DELETE ${at}/teams/${team}`,
      who: { ...outsiders, guest: "nothing", read: 403, comment: 403, edit: 403, review: 403, create: 403 },
    },
    listTeamMembers: { ask: `GET ${at}/teams/${team}/members`, who: hiddenFromGuests },
    updateTeamMembers: {
      ask: `PUT ${at}/teams/${team}/members`,
      send: { add: [ids.create], remove: [ids.read] },
      who: teamManagers,
      foreign: [
        { at: "add", send: { add: [ids.rival] } },
        { at: "remove", send: { remove: [ids.rival] }, finds: "nothing" },
        { at: "memberships.id", send: { memberships: [{ id: ids.rival }] } },
      ],
    },
    setTeamMember: {
      ask: `PUT ${at}/teams/${team}/members/${ids.create}`,
      send: { role: "owner" },
      who: teamManagers,
      foreign: [{ at: "path", ask: `PUT ${at}/teams/${team}/members/${ids.rival}`, send: {} }],
    },
    removeTeamMember: {
      ask: `DELETE ${at}/teams/${team}/members/${ids.read}`,
      who: { ...outsiders, guest: 404, comment: 403, review: 403, create: 403 },
    },
    listSamlProviders: { ask: `GET ${at}/saml`, who: admins },
    createSamlProvider: {
      ask: `POST ${at}/saml`,
      send: { label: "New", defaultTeam: team },
      who: admins,
      foreign: [{ at: "defaultTeam", send: { label: "New", defaultTeam: foreignTeam } }],
    },
    getSamlProvider: { ask: `GET ${at}/saml/${saml}`, who: adminsSee },
    updateSamlProvider: {
      ask: `PATCH ${at}/saml/${saml}`,
      send: { label: "Changed" },
      who: adminsSee,
      foreign: [{ at: "defaultTeam", send: { defaultTeam: foreignTeam } }],
    },
    deleteSamlProvider: { ask: `DELETE ${at}/saml/${saml}`, who: onlyAdminsDelete },
    listScimTokens: { ask: `GET ${at}/scim-tokens`, who: admins },
    createScimToken: { ask: `POST ${at}/scim-tokens`, send: { label: "New" }, who: admins },
    revokeScimToken: { ask: `DELETE ${at}/scim-tokens/${scimToken}`, who: onlyAdminsDelete },
    listCollections: { ask: `GET ${at}/collections`, who: members },
    createCollection: {
      ask: `POST ${at}/collections`,
      send: { title: "New" },
      who: creators,
      foreign: [{ at: "parent", send: { title: "New", parent: foreignCollection } }],
    },
    getCollection: { ask: `GET /v1/collections/${collection}`, who: givenRead },
    updateCollection: {
      ask: `PATCH /v1/collections/${collection}`,
      send: { title: "Changed", description: "x" },
      who: givenCreate,
    },
    deleteCollection: { ask: `DELETE /v1/collections/${collection}`, who: givenCreateDeletes },
    listSpacesInCollection: { ask: `GET /v1/collections/${collection}/spaces`, who: givenRead },
    moveCollection: {
      ask: `POST /v1/collections/${collection}/move`,
      send: { position: { after: { type: "space", space } } },
      who: givenCreate,
      foreign: foreignPlaces,
    },
    listSpaces: { ask: `GET ${at}/spaces`, who: members },
    createSpace: {
      ask: `POST ${at}/spaces`,
      send: { title: "New", emoji: "1f600" },
      who: creators,
      foreign: [
        { at: "parent", send: { title: "New", parent: foreignCollection } },
        { at: "template.id", send: { title: "New", template: { id: foreignSpace } } },
      ],
    },
    getSpace: { ask: `GET /v1/spaces/${space}`, who: givenRead },
    updateSpace: { ask: `PATCH /v1/spaces/${space}`, send: { title: "Changed", editMode: "locked" }, who: givenCreate },
    deleteSpace: { ask: `DELETE /v1/spaces/${space}`, who: givenCreateDeletes },
    restoreSpace: { ask: `POST /v1/spaces/${deletedSpace}/restore`, who: restorers },
    duplicateSpace: { ask: `POST /v1/spaces/${space}/duplicate`, who: givenCreate },
    moveSpace: {
      ask: `POST /v1/spaces/${space}/move`,
      send: { parent: collection, position: { before: { type: "space", space: innerSpace } } },
      who: givenCreate,
      foreign: foreignPlaces,
    },
    transferSpace: {
      ask: `POST /v1/spaces/${space}/transfer`,
      send: { organization: otherOrg, collection: foreignCollection },
      who: inBoth,
      foreign: [
        { at: "organization", send: { organization: thirdOrg } },
        { at: "collection", send: { organization: otherOrg, collection } },
      ],
    },
    transferCollection: {
      ask: `POST /v1/collections/${collection}/transfer`,
      send: { organization: otherOrg },
      who: inBoth,
      foreign: [{ at: "organization", send: { organization: thirdOrg } }],
    },
    ...audienceExamples(cast),
    ...structureExamples(cast.assembled, cast.foreignItems),
    ...grantExamples(cast),
    listIntegrations: {
      ask: "GET /v1/integrations",
      who: everybody,
      foreign: [{ at: "owner", ask: `GET /v1/integrations?owner=${thirdOrg}`, finds: "nothing" }],
    },
    getIntegration: { ask: `GET /v1/integrations/${integration}`, who: hiddenFromGuests },
    publishIntegration: {
      ask: "POST /v1/integrations/new-one",
      send: { organization: org, icon: png, script: "export default { fetch() {} }", secrets: { KEY: "value" } },
      who: { ...admins, stranger: 400, rival: 400 },
    },
    unpublishIntegration: {
      ask: `DELETE /v1/integrations/${integration}`,
      who: { ...admins, guest: "nothing", stranger: "nothing", rival: "nothing" },
    },
    ...installationExamples(cast),
    listOrganizationIntegrations: { ask: `GET ${at}/integrations`, who: noGuests },
    listSpaceIntegrations: { ask: `GET ${inSpace}/integrations`, who: givenRead },
    listSpaceIntegrationBlocks: { ask: `GET ${inSpace}/integrations-blocks`, who: givenRead },
    listSiteIntegrations: { ask: `GET ${atSite}/integrations`, who: hiddenFromGuests },
    listSiteIntegrationScripts: { ask: `GET ${atSite}/integration-scripts`, who: everybody },
    getContentByUrl: { ask: `GET /v1/urls/content?url=${encodeURIComponent(appUrl)}`, who: givenRead },
    getEmbed: { ask: `GET ${inSpace}/embed?url=${encodeURIComponent("https://site.example/docs/")}`, who: givenRead },
    downloadIntegrationAsset: { ask: `GET ${cast.integrationIcon}`, who: everybody },
    listJobs: { ask: `GET ${at}/jobs`, who: admins },
    streamEvents: { ask: `GET ${at}/events?seconds=0`, who: members },
    retryJob: { ask: `POST ${at}/jobs/${parkedJob}/retry`, who: adminsSee },
    listSsoProviders: { ask: `GET ${at}/sso`, who: members },
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
    listInstallations: { ask: `GET ${at}/installations`, who: hiddenFromGuests },
    listOrganizationInstallations: { ask: `GET /v1/orgs/${org}/installations`, who: noGuests },
    installIntegration: {
      ask: "POST /v1/integrations/rival-tool/installations",
      send: { organization: org },
      who: { ...admins, stranger: 400, rival: 400 },
      foreign: [{ at: "organization", send: { organization: thirdOrg } }],
    },
    getInstallation: { ask: `GET ${one}`, who: hiddenFromGuests },
    updateInstallation: { ask: `PATCH ${one}`, send: { configuration: { a: 1 } }, who: { ...admins, guest: 404 } },
    uninstallIntegration: { ask: `DELETE ${one}`, who: { ...admins, guest: 404, stranger: 404, rival: 404 } },
    listIntegrationEvents: { ask: `GET ${at}/events`, who: { ...admins, guest: 404 } },
    getIntegrationEvent: { ask: `GET ${at}/events/${event}`, who: adminsSee },
    startDevelopment: {
      ask: `PUT ${at}/dev`,
      send: { tunnelUrl: "https://tunnel.example" },
      who: { ...admins, guest: 404 },
    },
    stopDevelopment: { ask: `DELETE ${at}/dev`, who: { ...admins, guest: 404, stranger: 404, rival: 404 } },
    fetchFromIntegration: { ask: `GET ${at}/public/integration/a/b?c=d`, who: everybody },
    postToIntegration: { ask: `POST ${at}/public/integration`, send: { a: 1 }, who: everybody },
    putToIntegration: { ask: `PUT ${at}/public/${installation}`, send: { a: 1 }, who: everybody },
    patchAtIntegration: { ask: `PATCH ${at}/public/${installation}/${space}`, send: { a: 1 }, who: everybody },
    deleteAtIntegration: { ask: `DELETE ${at}/public/integration/a`, who: everybody },
    renderComponent: {
      ask: `GET ${at}/render?request=${LZString.compressToEncodedURIComponent(JSON.stringify(shownIn(space)))}`,
      who: givenRead,
    },
    renderComponentByPost: {
      ask: `POST ${at}/render`,
      send: shownIn(space),
      who: givenRead,
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
    },
    createInstallationToken: { ask: `POST ${one}/tokens`, who: { ...admins, guest: 404 } },
    queueTask: {
      ask: `POST ${one}/tasks`,
      send: { task: { type: "sweep" }, schedule: 60 },
      who: { ...admins, guest: 404 },
    },
    listTasks: { ask: `GET ${one}/tasks`, who: { ...admins, guest: 404 } },
    getTask: { ask: `GET ${one}/tasks/${task}`, who: { ...admins, guest: 404 } },
    cancelTask: { ask: `DELETE ${one}/tasks/${task}`, who: { ...admins, guest: 404, stranger: 404, rival: 404 } },
    listIntegrationSpaces: { ask: `GET ${at}/spaces`, who: hiddenFromGuests },
    listInstallationSpaces: { ask: `GET ${one}/spaces`, who: hiddenFromGuests },
    installOnSpace: {
      ask: `POST ${one}/spaces`,
      send: { spaceId: innerSpace },
      who: { ...outsiders, guest: 404, read: 403, edit: 403, comment: 400, review: 400 },
      foreign: [
        { at: "spaceId", send: { spaceId: foreignSpace } },
        { at: "space", send: { space: foreignSpace } },
      ],
    },
    getSpaceInstallation: { ask: `GET ${one}/spaces/${space}`, who: onSpace },
    updateSpaceInstallation: {
      ask: `PATCH ${one}/spaces/${space}`,
      send: { externalIds: ["x"] },
      who: { ...onSpace, read: 403, edit: 403 },
    },
    uninstallFromSpace: {
      ask: `DELETE ${one}/spaces/${space}`,
      who: { ...onSpace, comment: "nothing", review: "nothing", read: 403, edit: 403 },
    },
    listIntegrationSites: { ask: `GET ${at}/sites`, who: hiddenFromGuests },
    listInstallationSites: { ask: `GET ${one}/sites`, who: hiddenFromGuests },
    installOnSite: {
      ask: `POST ${one}/sites`,
      send: { siteId: plan },
      who: siteEditors,
      foreign: [
        { at: "siteId", send: { siteId: foreignSite } },
        { at: "site", send: { site: foreignSite } },
      ],
    },
    getSiteInstallation: { ask: `GET ${one}/sites/${site}`, who: hiddenFromGuests },
    updateSiteInstallation: { ask: `PATCH ${one}/sites/${site}`, send: { externalIds: ["x"] }, who: siteEditors },
    uninstallFromSite: { ask: `DELETE ${one}/sites/${site}`, who: siteEditors },
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
      removeUser: { ask: `DELETE ${at}/users/${ids.read}`, who: siteEditors },
      teams: { ...rows.teams, who: hiddenFromGuests },
      changeTeam: { ...rows.changeTeam, who: siteEditors },
      removeTeam: { ...rows.removeTeam, who: siteEditors },
      all: { ...rows.all, who: hiddenFromGuests },
    } satisfies Record<string, Example>;
  }

  function grantRows(at: string) {
    const give: Example = {
      ask: `POST ${at}`,
      send: { users: [{ id: ids.comment, role: "edit" }], teams: [{ id: team, role: "review" }] },
      who: givenCreate,
      foreign: [
        { at: "users.id", send: { users: [{ id: ids.rival, role: "read" }] } },
        { at: "teams.id", send: { teams: [{ id: foreignTeam, role: "read" }] } },
        { at: "users", send: { users: [ids.rival], role: "read" } },
        { at: "teams", send: { teams: [foreignTeam], role: "read" } },
      ],
    };
    const hidden: Matrix = { ...givenCreate, comment: 404, review: 404 };
    return {
      give,
      users: { ask: `GET ${at}/users`, who: givenRead },
      changeUser: { ask: `PATCH ${at}/users/${ids.guest}`, send: { role: "comment" }, who: hidden },
      removeUser: { ask: `DELETE ${at}/users/${ids.guest}`, who: hidden },
      teams: { ask: `GET ${at}/teams`, who: givenRead },
      changeTeam: { ask: `PATCH ${at}/teams/${team}`, send: { role: "comment" }, who: hidden },
      removeTeam: { ask: `DELETE ${at}/teams/${team}`, who: hidden },
      all: { ask: `GET ${at}/aggregate`, who: givenRead },
    } satisfies Record<string, Example>;
  }
}

function exceptFor(person: Person, outcome: 403 | 404 | "nothing"): Matrix {
  return Object.fromEntries(people.filter((other) => other !== person).map((other) => [other, outcome]));
}

/** Somebody for whom the request succeeds. */
export function allowedPerson({ who }: Example): Person {
  return (["admin", ...people] as const).find((person) => who[person] === undefined)!;
}
