// The counts on a space and on its change requests are what a recount gives, whatever happened before.

import fc from "fast-check";
import { memoryStorage } from "octavo/memory";
import { expect, test } from "vitest";
import { type Setting, setUp } from "../../support/setting";

type Deed =
  | { readonly do: "propose" | "comment" | "duplicate" | "write" }
  | { readonly do: "status"; readonly n: number; readonly to: "draft" | "open" | "archived" }
  | { readonly do: "merge" | "resolve" | "reopen" | "delete" | "commentOn" | "reply"; readonly n: number };

const n = fc.nat({ max: 50 });
const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ do: fc.constantFrom("propose", "comment", "duplicate", "write") }),
  fc.record({ do: fc.constant("status"), n, to: fc.constantFrom("draft", "open", "archived") }),
  fc.record({ do: fc.constantFrom("merge", "resolve", "reopen", "delete", "commentOn", "reply"), n }),
) as fc.Arbitrary<Deed>;

async function carryOut({ ask }: Setting, space: string, it: Deed): Promise<void> {
  const at = `/v1/spaces/${space}`;
  const proposals = async () => {
    const found = await Promise.all(
      ["draft", "open", "archived", "merged"].map((status) =>
        ask("admin", `GET ${at}/change-requests?status=${status}`),
      ),
    );
    return found.flatMap(({ body }) => body.items.map(({ id }: { id: string }) => id)).sort() as string[];
  };
  const said = async () =>
    (await ask("admin", `GET ${at}/comments?limit=1000`)).body.items.map(({ id }: { id: string }) => id) as string[];
  const pick = (all: readonly string[], i: number) => all[i % Math.max(1, all.length)] ?? "none";
  const body = { markdown: "Hm." };
  if (it.do === "propose") await ask("edit", `POST ${at}/change-requests`, {});
  else if (it.do === "comment") await ask("comment", `POST ${at}/comments`, { body });
  else if (it.do === "duplicate") await ask("admin", `POST ${at}/duplicate`);
  else if (it.do === "write")
    await ask("admin", `POST ${at}/content`, { changes: [{ operation: "insert_page", title: "P", document: {} }] });
  else if (it.do === "status")
    await ask("admin", `PATCH ${at}/change-requests/${pick(await proposals(), it.n)}`, { status: it.to });
  else if (it.do === "merge") await ask("admin", `POST ${at}/change-requests/${pick(await proposals(), it.n)}/merge`);
  else if (it.do === "commentOn")
    await ask("comment", `POST ${at}/change-requests/${pick(await proposals(), it.n)}/comments`, { body });
  else if ("n" in it) {
    const comment = `${at}/comments/${pick(await said(), it.n)}`;
    if (it.do === "reply") await ask("comment", `POST ${comment}/replies`, { body });
    else if (it.do === "delete") await ask("admin", `DELETE ${comment}`);
    else await ask("admin", `PUT ${comment}`, { resolved: it.do === "resolve" });
  }
}

/** What the space says of itself, and what counting gives. */
async function counts({ ask }: Setting, space: string) {
  const at = `/v1/spaces/${space}`;
  const told = (await ask("admin", `GET ${at}`)).body;
  const listed = async (status: string) =>
    (await ask("admin", `GET ${at}/change-requests?status=${status}&limit=1000`)).body.items as {
      id: string;
      comments: number;
    }[];
  const [draft, open, archived, merged] = await Promise.all(["draft", "open", "archived", "merged"].map(listed));
  const all = [draft!, open!, archived!, merged!].flat();
  const openOn = async (where: string) =>
    (await ask("admin", `GET ${where}/comments?status=open&limit=1000`)).body.items.length as number;
  return {
    told: {
      all: told.changeRequests,
      open: told.changeRequestsOpen,
      draft: told.changeRequestsDraft,
      comments: told.comments,
      each: all.map(({ comments }) => comments),
    },
    counted: {
      all: all.length,
      open: open!.length,
      draft: draft!.length,
      comments: await openOn(at),
      each: await Promise.all(all.map(({ id }) => openOn(`${at}/change-requests/${id}`))),
    },
  };
}

test("counts never drift and move along to another organization", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 5, maxLength: 30 }), async (deeds) => {
      const setting = await setUp(memoryStorage());
      const { ask, org, otherOrg } = setting;
      const space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "S" })).body.id as string;
      for (const it of deeds) await carryOut(setting, space, it);
      const { told, counted } = await counts(setting, space);
      expect(told).toEqual(counted);
      const door = (await ask("rival", `POST /v1/orgs/${otherOrg}/link-invites`, { role: "admin" })).body.id;
      await ask("admin", `POST /v1/orgs/${otherOrg}/invites/${door}`);
      expect((await ask("admin", `POST /v1/spaces/${space}/transfer`, { organization: otherOrg })).status).toBe(200);
      const there = await counts(setting, space);
      expect(there.told).toEqual(told);
      expect(there.counted).toEqual(counted);
    }),
    { numRuns: 25 },
  );
});
