// src/generated is current, and says the same as the shapes that it is made from. The second is for the compiler to prove,
// for every operation, when the project is checked.

import { readFile } from "node:fs/promises";
import { expect, expectTypeOf, test } from "vitest";
import { generatedTypes } from "../../scripts/types/generate";
import type { Operations } from "../../src/generated/operations";
import type { BinaryResponse } from "../../src/operation/binary-response";
import type { Operation } from "../../src/operation/operation";
import type { Paging } from "../../src/operation/pagination";
import { allOperations, type resources } from "../../src/operations";

test.each(Object.entries(generatedTypes(allOperations())))("src/generated/%s is current", async (name, text) => {
  const committed = await readFile(new URL(`../../src/generated/${name}`, import.meta.url), "utf8");
  expect(committed === text, `src/generated/${name} is stale: run \`npm run generate:types\``).toBe(true);
});

type Resources = typeof resources;
type Declared = AllOf<Resources[keyof Resources]>;
type AllOf<Union> = (Union extends unknown ? (member: Union) => void : never) extends (member: infer All) => void
  ? All
  : never;

/** What the shapes of an operation say. */
type Said<Name extends keyof Declared> = Declared[Name] extends Operation<infer Types extends Whole> ? Types : never;
interface Whole {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly result: unknown;
}

/** What is generated for an operation, with nothing left out. */
type Written<Name extends keyof Operations> = {
  params: MemberOf<Operations[Name], "params", Nothing>;
  query: MemberOf<Operations[Name], "query", Nothing>;
  body: MemberOf<Operations[Name], "body", undefined>;
  result: Operations[Name]["result"];
};
type Nothing = Record<never, never>;
type MemberOf<Type, Key extends string, Absent> = Key extends keyof Type ? Exclude<Type[Key], undefined> : Absent;

/** A type without what makes no difference: how it is put together, members that may be left out and are `undefined`, and
 * in which way an object has no members. */
type Plain<Type> = Type extends string | number | boolean | null | undefined | BinaryResponse
  ? Type
  : unknown extends Type
    ? Type
    : Type extends Record<string, never>
      ? Nothing
      : { [name in keyof Type]: Plain<Exclude<Type[name], undefined>> };
type IsSame<One, Other> =
  (<T>() => T extends Plain<One> ? 1 : 2) extends <T>() => T extends Plain<Other> ? 1 : 2 ? true : false;

/** The members of operations that are generated otherwise than the shapes have them: `getSpace result`. */
type Difference = {
  [Name in keyof Declared & keyof Operations]: {
    [Key in keyof Whole]: IsSame<Written<Name>[Key], Said<Name>[Key]> extends true
      ? never
      : IsSame<Written<Name>[Key], Key extends "query" ? Paging & Said<Name>[Key] : never> extends true
        ? never
        : `${Name} ${Key}`;
  }[keyof Whole];
}[keyof Declared & keyof Operations];

/** The members that may be left out although something in them may not. */
type WronglyOptional = {
  [Name in keyof Operations]: {
    [Key in keyof Operations[Name] & string]: undefined extends Operations[Name][Key]
      ? Key extends "result"
        ? never
        : Nothing extends Exclude<Operations[Name][Key], undefined>
          ? never
          : `${Name} ${Key}`
      : never;
  }[keyof Operations[Name] & string];
}[keyof Operations];

/** Compiles where nothing was found; otherwise the compiler names it. */
function foundNo<_Found extends never>(): void {}

test("the generated types and the source have the same operations without differences", () => {
  expectTypeOf<keyof Operations>().toEqualTypeOf<keyof Declared>();
  foundNo<Difference>();
  foundNo<WronglyOptional>();
});

test("a difference between types is detected", () => {
  expectTypeOf<IsSame<{ a: { b?: string | undefined } }, { a: { b?: string } }>>().toEqualTypeOf<true>();
  expectTypeOf<IsSame<{ a: string } & { b: 1 | 2 }, { a: string; b: 1 | 2 }>>().toEqualTypeOf<true>();
  expectTypeOf<IsSame<{ a: { b?: string } }, { a: { b: string } }>>().toEqualTypeOf<false>();
  expectTypeOf<IsSame<{ a: { b?: string } }, { a: object }>>().toEqualTypeOf<false>();
  expectTypeOf<IsSame<{ a: string }[], { a: "x" }[]>>().toEqualTypeOf<false>();
  expectTypeOf<IsSame<{ a: unknown }, { a: string }>>().toEqualTypeOf<false>();
  expectTypeOf<IsSame<{ a: Record<string, never> }, { a: { b?: string } }>>().toEqualTypeOf<false>();
  expectTypeOf<IsSame<string | null, string>>().toEqualTypeOf<false>();
});
