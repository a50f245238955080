// Grows the organization of the examples until it has the wanted size, through the API. One request at a time: the same size
// gives the same organization.

import { roles } from "../../../src/operation/common-schemas";
import type { Cast } from "../../invariants/examples";
import type { Size } from "./size";
import { pageText } from "./words";

type Told = (what: string) => void;

export async function grow(cast: Cast, size: Size, told: Told): Promise<void> {
  const must = mustOf(cast);
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
  const { org, space } = cast;

  told("members");
  const users: string[] = [];
  for (const n of numbers(size.members)) users.push(await member(cast, n));

  told("teams");
  const teams: string[] = [];
  for (const n of numbers(size.teams)) {
    const members = [0, 1, 2, 3, 4].map((i) => users[(n * 5 + i) % users.length]!);
    teams.push((await must("PUT", `/orgs/${org}/teams`, { title: `Team ${n}`, members: [...new Set(members)] })).id);
  }

  told("spaces");
  const spaces: string[] = [];
  let collection: string | undefined;
  for (const n of numbers(size.spaces)) {
    if (n % 100 === 0) collection = (await must("POST", `/orgs/${org}/collections`, { title: `Shelf ${n / 100}` })).id;
    const { id } = await must("POST", `/orgs/${org}/spaces`, { title: `Book ${n}`, parent: collection });
    spaces.push(id);
    const changes = [{ operation: "insert_page", title: `Begin ${n}`, document: { markdown: pageText(n, 1) } }];
    await must("POST", `/spaces/${id}/content`, { changes });
    // Every tenth is closed, and open to a team.
    if (n % 10 !== 0) continue;
    await must("PATCH", `/spaces/${id}`, { defaultLevel: null });
    await must("POST", `/spaces/${id}/permissions`, { teams: [{ id: teams[n % teams.length], role: "read" }] });
  }

  told("pages");
  await pages(must, space, size.pages);
  told("files");
  for (let from = 0; from < size.files; from += FILES) {
    const files = numbers(Math.min(FILES, size.files - from)).map((i) => ({
      name: `file-${from + i}.txt`,
      contentType: "text/plain",
      base64: btoa(`File ${from + i}. `.repeat(20)),
    }));
    await must("POST", `/spaces/${space}/content`, { changes: [{ operation: "insert_files", files }] });
  }

  told("change requests");
  for (const n of numbers(size.changeRequests)) {
    const { id } = await must("POST", `/spaces/${space}/change-requests`, { subject: `Change ${n}` });
    if (n % 50 !== 0) continue;
    const changes = [{ operation: "insert_page", title: `Proposed ${n}`, document: { markdown: pageText(n, 1) } }];
    await must("POST", `/spaces/${space}/change-requests/${id}/content`, { changes });
  }
  told("comments");
  for (const n of numbers(size.comments)) {
    const at = n % 2 === 0 ? { page: cast.content.page } : {};
    await must("POST", `/spaces/${space}/comments`, { body: { markdown: `Remark ${n}.` }, ...at });
  }

  told("site-spaces");
  const at = `/orgs/${org}/sites/${cast.plan}`;
  for (let from = 0; from < size.siteSpaces; from += 50) {
    const [first, ...others] = spaces.slice(from, Math.min(from + 50, size.siteSpaces));
    const { id } = await must("POST", `${at}/sections`, { spaceId: first, title: `Part ${from / 50}` });
    for (const spaceId of others) await must("POST", `${at}/site-spaces`, { spaceId, sectionId: id });
  }

  told("specifications");
  for (const n of numbers(size.specifications)) {
    const text = `openapi: 3.1.0\ninfo: { title: Spec ${n}, version: '1' }\npaths: {}\n`;
    await must("PUT", `/orgs/${org}/openapi/spec-${n}`, { source: { text } });
  }
  told("installations");
  for (const n of numbers(size.installations)) {
    await must("POST", `/integrations/tool-${n}`, { organization: org, script: "export default { fetch() {} }" });
    const { id } = await must("POST", `/integrations/tool-${n}/installations`, { organization: org });
    await must("POST", `/integrations/tool-${n}/installations/${id}/spaces`, { space: spaces[n % spaces.length] });
  }
}

/** Asks as the admin; an answer that is no success ends the making. */
function mustOf({ ask }: Cast) {
  return async (method: string, path: string, send?: unknown) => {
    const { status, body } = await ask("admin", `${method} /v1${path}`, send);
    if (status >= 300) throw new Error(`${method} ${path} was answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
}

async function member({ api, org, ask, askWith, clock }: Cast, n: number): Promise<string> {
  const email = `member-${n}@example.com`;
  const user = { displayName: `Member ${n}`, email };
  const made = await api.provision({ user, token: { label: "scale", value: `token-of-member-number-${n}` } });
  clock.forward(1000);
  const role = n % 20 === 0 ? null : roles[n % (roles.length - 1)];
  const invited = await ask("admin", `POST /v1/orgs/${org}/invites`, { emails: [email], role });
  const joined = await askWith(made.token!, `POST /v1/orgs/${org}/invites/${invited.body.invites[0].id}`);
  if (joined.status !== 200) throw new Error(`${email} could not join: ${JSON.stringify(joined.body)}`);
  return made.user;
}

/** The most changes of one request, and files of one change. */
const BATCH = 50;
const FILES = 20;

/** Pages under pages, a hundred beside each other at most. */
async function pages(must: ReturnType<typeof mustOf>, space: string, count: number): Promise<void> {
  const above: string[] = [];
  for (let from = 0; from < count; from += BATCH) {
    const changes = Array.from({ length: Math.min(BATCH, count - from) }, (_, i) => {
      const n = from + i;
      const into = n < 100 ? undefined : above[Math.floor(n / 100) - 1];
      return {
        ...{ operation: "insert_page", title: `Page ${n}`, slug: `page-${n}` },
        ...(into === undefined ? {} : { into }),
        document: { markdown: pageText(n, count) },
      };
    });
    const { changes: made } = await must("POST", `/spaces/${space}/content`, { changes });
    // A thousand of them have others below.
    if (above.length < 1000) for (const { page } of made) above.push(page.id);
  }
}
