// What a big organization is asked: every GET as the admin and as a plain member, every write of one thing that can be made
// again and again, and some that the examples do not have.

import { allOperations } from "../../../src/operations";
import { type Cast, type Example, examples } from "../../invariants/examples";
import type { Person } from "../../support/setting";
import { queries } from "./words";

/** One request; `n` tells its calls apart. */
export interface Request {
  readonly name: string;
  readonly as: Person;
  readonly isList: boolean;
  /** Its answer has no pages and holds everything that there is: what counts is the time for each row. The text
   * that stands in each of them once. */
  readonly eachRow?: string | undefined;
  /** The most milliseconds at the larger size. */
  readonly atMostMs?: number;
  readonly route: (cast: Cast) => string;
  readonly send?: (cast: Cast, n: number) => unknown;
  /** What is done before, and does not count. It may give the route to ask. */
  readonly before?: Before;
}

type Before = (cast: Cast, n: number, post: Post) => Promise<string | undefined>;

/** Sends something as the admin, and gives what is answered. */
export type Post = (path: string, body: unknown) => Promise<{ readonly id: string }>;

const table = allOperations();
/** The examples of each organization, made once. */
const made = new WeakMap<Cast, Record<string, Example>>();

function rowsOf(cast: Cast): Record<string, Example> {
  const rows = made.get(cast) ?? examples(cast);
  made.set(cast, rows);
  return rows;
}

/** Writes that cannot be repeated, end something that others need, or begin long work. */
const OUT = new Set([
  "leaveOrganizations",
  "eraseCurrentUser",
  "endSessions",
  "createOrganization",
  "transferSpace",
  "transferCollection",
  // Those of the examples are older than all other pages; `more` has change requests of one page.
  "mergeChangeRequest",
  "updateFromSpace",
  "restoreSpace",
  "duplicateSpace",
]);

const line = "\n";
const object = (kind: string) => `"object":"${kind}"`;

/** Requests whose answer grows with what there is, and what its rows are counted by. All others are judged as they are. */
const WHOLE: Readonly<Record<string, string>> = {
  // An export is a stream of lines, to its end.
  exportAuditEvents: line,
  exportCurrentUser: line,
  // The tree of pages of a space is one answer: 58 KB with a hundred pages, 5.9 MB with ten thousand.
  getContent: object("page"),
  listPages: object("page"),
  listPublishedPages: object("page"),
  // The structure of a site is one answer, and a section in a list has all its site-spaces.
  getSiteStructure: object("site-space"),
  sortSiteStructure: object("site-space"),
  listSiteSections: object("site-space"),
};

/** Searches by another name, and the most milliseconds that they may take: a question is one, and a site has many spaces. */
const SEARCHES: Readonly<Record<string, number>> = {
  askSpace: 20,
  askOrganization: 100,
  askSite: 100,
  searchSite: 100,
};

/** Requests by the examples: reads, then writes. */
export function requests(cast: Cast): Request[] {
  const rows = rowsOf(cast);
  const reads: Request[] = [];
  const writes: Request[] = [];
  for (const { name, definition: operation } of table) {
    const row = rows[name]!;
    const isList = operation.spec.list !== undefined;
    const eachRow = WHOLE[name];
    const route = (it: Cast) => rowsOf(it)[name]!.ask;
    const search = name in SEARCHES ? { atMostMs: SEARCHES[name]! } : {};
    if (operation.method === "GET") {
      for (const as of ["admin", "read"] as const)
        if (row.who[as] === undefined) reads.push({ name, as, isList, eachRow, route, ...search });
    } else if (operation.method !== "DELETE" && !OUT.has(name) && row.who.admin === undefined) {
      const send = (it: Cast, n: number) => varied(rowsOf(it)[name]!.send, n);
      writes.push({ name, as: "admin", isList, eachRow, route, send, ...search });
    }
  }
  return [
    ...reads.filter(({ name }) => !name.startsWith("search")),
    ...searches(),
    ...more(),
    ...writes,
    ...manySiteSpaces(),
  ];
}

/** Another title each time: a second thing of the same name may be refused. A space that was locked would take no more. */
function varied(send: unknown, n: number): unknown {
  if (typeof send !== "object" || send === null) return send;
  const { editMode: _, ...changed } = send as Record<string, unknown>;
  for (const name of ["title", "subject", "label"]) if (typeof changed[name] === "string") changed[name] += ` ${n}`;
  return changed;
}

function searches(): Request[] {
  return Object.entries(queries).flatMap(([kind, words]) =>
    (["admin", "read"] as const).flatMap((as): Request[] => {
      const asked = `search?query=${encodeURIComponent(words)}`;
      return [
        {
          ...{ name: `searchSpace, ${kind}`, as, isList: false, atMostMs: 20 },
          route: ({ space }) => `GET /v1/spaces/${space}/${asked}`,
        },
        {
          ...{ name: `searchOrganization, ${kind}`, as, isList: false, atMostMs: 100 },
          route: ({ org }) => `GET /v1/orgs/${org}/${asked}`,
        },
      ];
    }),
  );
}

const contentOf = ({ space }: Cast) => `/v1/spaces/${space}/content`;
const changeOf = (page: string, n: number) => ({
  changes: [{ operation: "update_page", page, document: { markdown: `Xylophone ${n}.` } }],
});

const writePage: Before = async (it, n, post) => {
  await post(contentOf(it), changeOf(it.content.page, n));
  return undefined;
};

/** Proposes a page, and changes another in the space: both have to be merged. */
const proposeAnd =
  (step: "merge" | "update"): Before =>
  async (it, n, post) => {
    const { id } = await post(`/v1/spaces/${it.space}/change-requests`, { subject: `Proposal ${n}` });
    const proposal = `/v1/spaces/${it.space}/change-requests/${id}`;
    const document = { markdown: `Proposed ${n}.` };
    await post(`${proposal}/content`, { changes: [{ operation: "insert_page", title: `Proposal ${n}`, document }] });
    await post(contentOf(it), changeOf(it.content.page, n));
    return `POST ${proposal}/${step}`;
  };

function more(): Request[] {
  const asAdmin = { as: "admin", isList: false } as const;
  return [
    {
      name: "changeContent, one page",
      ...asAdmin,
      route: (it) => `POST ${contentOf(it)}`,
      send: ({ content }, n) => changeOf(content.page, n),
    },
    ...(["merge", "update"] as const).map((step) => ({
      ...{ name: step === "merge" ? "mergeChangeRequest, one page" : "updateFromSpace, one page", ...asAdmin },
      before: proposeAnd(step),
      route: contentOf,
    })),
    {
      ...{ name: "searchSpace after a write", ...asAdmin, atMostMs: 20 },
      before: writePage,
      route: ({ space }) => `GET /v1/spaces/${space}/search?query=xylophone`,
    },
    {
      ...{ name: "searchOrganization after a write", ...asAdmin, atMostMs: 100 },
      before: writePage,
      route: ({ org }) => `GET /v1/orgs/${org}/search?query=xylophone`,
    },
    {
      ...{ name: "getPage after a write", ...asAdmin },
      before: writePage,
      route: ({ space, content }) => `GET /v1/spaces/${space}/content/page/${content.page}`,
    },
    {
      ...{ name: "listPages after a write", ...asAdmin, eachRow: WHOLE.listPages },
      before: writePage,
      route: ({ space }) => `GET /v1/spaces/${space}/content/pages`,
    },
    {
      ...{ name: "listPublishedPages after a write", ...asAdmin, eachRow: WHOLE.listPublishedPages },
      before: writePage,
      route: (it) => rowsOf(it).listPublishedPages!.ask,
    },
  ];
}

const published = new WeakSet<Cast>();
const publish: Before = async (it, _, post) => {
  if (!published.has(it)) await post(`/v1/orgs/${it.org}/sites/${it.plan}/publish`, undefined);
  published.add(it);
  return undefined;
};

/** The published site of the examples has one space, the largest. The other one has many, and is published for these. */
function manySiteSpaces(): Request[] {
  const asAdmin = { as: "admin", isList: false, atMostMs: 100, before: publish } as const;
  return [
    ...Object.entries(queries).map(([kind, query]) => ({
      ...{ name: `searchSite of many site-spaces, ${kind}`, ...asAdmin },
      route: ({ org, plan }: Cast) => `POST /v1/orgs/${org}/sites/${plan}/search`,
      send: () => ({ query }),
    })),
    {
      ...{ name: "searchSite of many site-spaces, after a write", ...asAdmin },
      before: async (it, n, post) => (await publish(it, n, post)) ?? writePage(it, n, post),
      route: ({ org, plan }) => `POST /v1/orgs/${org}/sites/${plan}/search`,
      send: () => ({ query: queries.rare }),
    },
    {
      ...{ name: "askSite of many site-spaces", ...asAdmin },
      route: ({ org, plan }) => `POST /v1/orgs/${org}/sites/${plan}/ask`,
      send: () => ({ question: queries.several }),
    },
  ];
}
