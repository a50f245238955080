// Law 7, for the tokens of visitors: what such a token gets from every operation, by the audience that let the visitor in,
// and when the visit is over. An operation that opens to visitors is seen by whoever reviews the snapshot.

import { beforeAll, describe, expect, test } from "vitest";
import { allOperations } from "../../src/operations";
import { dump } from "../support/setting";
import { access, visitorKinds } from "./access";
import { askAsVisitor, isForVisitors } from "./describe-access";
import { expectEqual } from "./entries";
import { gatherVisitors, type Visitors } from "./visitors";

const table = allOperations();
const operationsByName = new Map(table.map((operation) => [operation.name, operation]));

let visitors: Visitors;
beforeAll(async () => {
  visitors = await gatherVisitors();
});

describe("law 7: a visitor token opens what the snapshot lists", () => {
  test("the snapshot is complete, and every operation declared for visitors is open to all audiences", () => {
    expect(access.map(({ name }) => name)).toEqual(table.map(({ name }) => name).sort());
    const opened = access.filter(({ visitors: told }) => told.slice(0, 4).every((it) => /^20\d$/.test(it)));
    const declared = table.filter(({ definition: operation }) => operation.spec.allowsVisitors);
    expect(opened.map(({ name }) => name)).toEqual(declared.map(({ name }) => name).sort());
    expect(visitorKinds).toEqual(Object.keys(visitors.arrivals));
  });

  test.each(visitorKinds.map((kind, i) => [kind, i] as const))(
    "the token of a visitor of %s opens exactly what the snapshot lists",
    async (kind, i) => {
      const { cast, arrivals, listRequests } = visitors;
      const token = await arrivals[kind]!();
      const requests = await listRequests(token);
      const expected = access.map(({ name, visitors: told }) => [operationsByName.get(name)!, told[i]!] as const);

      // What is not for visitors is refused, and changes nothing.
      const before = await dump(cast.storage);
      for (const [operation, told] of expected.filter(([operation]) => !isForVisitors(operation))) {
        const { name } = operation;
        const { outcome, reason } = await askAsVisitor(cast, token, operation, requests[name]!);
        expect([name, outcome]).toEqual([name, told]);
        expect([name, outcome, reason]).toEqual(
          kind === "expired" ? [name, "401", "token_unknown"] : [name, "403", "scope_missing"],
        );
      }
      expectEqual(await dump(cast.storage), before);

      for (const [operation, told] of expected.filter(([operation]) => isForVisitors(operation))) {
        const { name } = operation;
        const { outcome } = await askAsVisitor(cast, token, operation, requests[name]!);
        expect([name, outcome], "run `npm run generate:access`, and review the lines that differ").toEqual([
          name,
          told,
        ]);
      }
    },
  );
});
