// Collections as stories.

import { ask, defineStory, get, refuse, type Story, send } from "../scenario";

export const stories: Story[] = [
  defineStory("collections nest and keep their order", [
    ask("create", "POST /v1/orgs/{org}/collections", 201, {
      send: { title: "A" },
      see: {
        object: "collection",
        title: "A",
        organization: "{org}",
        parent: undefined,
        defaultLevel: "inherit",
        permissions: { view: true, admin: true, create: true },
      },
      keep: { a: "id" },
      seeHeaders: { location: (url) => url?.includes("/v1/collections/col_") === true },
    }),
    ask("create", "POST /v1/orgs/{org}/collections", 201, { send: { title: "B" }, keep: { b: "id" } }),
    ask("create", "POST /v1/orgs/{org}/collections", 201, {
      send: { title: "Inner", parent: "{a}" },
      see: { parent: "{a}" },
      keep: { inner: "id" },
    }),
    ask("create", "POST /v1/orgs/{org}/collections", 201, {
      see: { title: "Untitled" },
      keep: { c: "id" },
    }),
    get("read", "/v1/orgs/{org}/collections", { count: 4 }),
    get("read", "/v1/orgs/{org}/collections?nested=false", {
      count: 3,
      items: [{ id: "{a}" }, { id: "{b}" }, { id: "{c}" }],
    }),
    send("create", "POST /v1/collections/{c}/move", 200, {
      position: { before: { type: "collection", collection: "{a}" } },
    }),
    ask("create", "POST /v1/collections/{a}/move", 200, {
      send: { position: { after: { type: "collection", collection: "{b}" } } },
      see: { parent: undefined },
    }),
    ask("read", "GET /v1/orgs/{org}/collections?nested=false&limit=2", 200, {
      see: { count: 3, items: [{ id: "{c}" }, { id: "{b}" }] },
      keep: { next: "next.page" },
    }),
    get("read", "/v1/orgs/{org}/collections?nested=false&limit=2&page={next}", {
      items: [{ id: "{a}" }],
      next: undefined,
    }),
    ask("create", "POST /v1/collections/{b}/move", 200, {
      send: { parent: "{inner}" },
      see: { parent: "{inner}" },
    }),
    send("create", "POST /v1/collections/{a}/move", "409 cyclic_move", { parent: "{b}" }),
    send("create", "POST /v1/collections/{a}/move", "409 cyclic_move", { parent: "{a}" }),
    ask("create", "POST /v1/collections/{b}/move", 200, {
      send: { parent: null },
      see: { parent: undefined },
    }),
    refuse("create", "POST /v1/collections/{b}/move", "body.position", {
      position: { before: { type: "collection", collection: "{inner}" } },
    }),
    refuse("create", "POST /v1/collections/{b}/move", "body.position", { position: {} }),
    send("read", "POST /v1/collections/{b}/move", "403 forbidden", { parent: "{a}" }),
    send("read", "POST /v1/orgs/{org}/collections", "403 forbidden", { title: "Mine" }),
    refuse("create", "POST /v1/orgs/{org}/collections", "body.title", { title: "x".repeat(51) }),
    refuse("create", "POST /v1/orgs/{org}/collections", "body.parent", { title: "x", parent: "col_none" }),
    ask("rival", "GET /v1/collections/{a}", "404 collection_not_found"),
    refuse("read", "GET /v1/orgs/{org}/collections?nested=maybe", "query.nested"),
  ]),
  defineStory("a collection is changed by those who may, and closed to the others", [
    ask("create", "POST /v1/orgs/{org}/collections", 201, { send: { title: "A" }, keep: { a: "id" } }),
    ask("create", "PATCH /v1/collections/{a}", 200, {
      send: { title: "New", description: "All of it" },
      see: { title: "New", description: "All of it" },
    }),
    ask("create", "PATCH /v1/collections/{a}", 200, {
      send: { description: null },
      see: { title: "New", description: undefined },
    }),
    send("edit", "PATCH /v1/collections/{a}", "403 forbidden", { title: "Mine" }),
    get("edit", "/v1/collections/{a}", { permissions: { view: true, admin: false, create: false } }),
    refuse("create", "PATCH /v1/collections/{a}", "body.description", { description: "x".repeat(101) }),
    refuse("create", "PATCH /v1/collections/{a}", "body.defaultLevel", { defaultLevel: "owner" }),
    ask("admin", "PATCH /v1/collections/{a}", 200, {
      send: { defaultLevel: null },
      see: { defaultLevel: null },
    }),
    ask("edit", "GET /v1/collections/{a}", "404 collection_not_found"),
    send("create", "PATCH /v1/collections/{a}", "404 collection_not_found", { title: "x" }),
    get("edit", "/v1/orgs/{org}/collections", { count: 0, items: [] }),
    refuse("create", "POST /v1/orgs/{org}/spaces", "body.parent", { title: "x", parent: "{a}" }),
    send("admin", "PATCH /v1/collections/{a}", 200, { defaultLevel: "create" }),
    ask("read", "POST /v1/orgs/{org}/spaces", 201, {
      send: { title: "x", parent: "{a}" },
      see: { parent: "{a}", visibility: "in-collection" },
      keep: { space: "id" },
    }),
    get("read", "/v1/collections/{a}/spaces", { count: 1, items: [{ id: "{space}" }] }),
    ask("guest", "GET /v1/collections/{a}/spaces", "404 collection_not_found"),
  ]),
  defineStory("a deleted collection takes what is in it into the trash, from where each space can be restored", [
    ask("create", "POST /v1/orgs/{org}/collections", 201, {
      send: { title: "Outer" },
      keep: { outer: "id" },
    }),
    ask("create", "POST /v1/orgs/{org}/collections", 201, {
      send: { title: "Inner", parent: "{outer}" },
      keep: { inner: "id" },
    }),
    ask("create", "POST /v1/orgs/{org}/spaces", 201, {
      send: { title: "Deep", parent: "{inner}" },
      keep: { deep: "id" },
    }),
    ask("create", "POST /v1/orgs/{org}/spaces", 201, { send: { title: "Other" }, keep: { other: "id" } }),
    ask("edit", "DELETE /v1/collections/{outer}", "403 forbidden"),
    ask("create", "DELETE /v1/collections/{outer}", 204),
    ask("create", "DELETE /v1/collections/{outer}", 204),
    ask("create", "GET /v1/collections/{inner}", "404 collection_not_found"),
    get("create", "/v1/orgs/{org}/collections", { count: 0 }),
    get("create", "/v1/orgs/{org}/spaces", { count: 1, items: [{ id: "{other}" }] }),
    get("create", "/v1/spaces/{deep}", { deletedAt: (at: unknown) => typeof at === "string" }),
    ask("edit", "GET /v1/spaces/{deep}", "404 space_not_found"),
    ask("create", "POST /v1/spaces/{deep}/restore", 200, {
      see: { deletedAt: undefined, parent: undefined, visibility: "private" },
    }),
    get("edit", "/v1/orgs/{org}/spaces", { count: 2 }),
    ask("rival", "DELETE /v1/collections/{outer}", 204),
    send("create", "POST /v1/collections/{outer}/move", "404 collection_not_found", {}),
  ]),
  defineStory("a collection goes to another organization with everything in it", [
    ask("rival", "POST /v1/orgs/{otherOrg}/link-invites", 201, {
      send: { role: "create" },
      keep: { door: "id" },
    }),
    ask("admin", "POST /v1/orgs/{otherOrg}/invites/{door}", 200),
    ask("create", "POST /v1/orgs/{org}/collections", 201, {
      send: { title: "Outer" },
      keep: { outer: "id" },
    }),
    ask("create", "POST /v1/orgs/{org}/collections", 201, {
      send: { title: "Inner", parent: "{outer}" },
      keep: { inner: "id" },
    }),
    ask("create", "POST /v1/orgs/{org}/spaces", 201, {
      send: { title: "A", parent: "{outer}" },
      keep: { a: "id" },
    }),
    ask("create", "POST /v1/orgs/{org}/spaces", 201, {
      send: { title: "B", parent: "{inner}" },
      keep: { b: "id" },
    }),
    ask("create", "POST /v1/orgs/{org}/spaces", 201, {
      send: { title: "C", parent: "{inner}" },
      keep: { c: "id" },
    }),
    refuse("create", "POST /v1/collections/{outer}/transfer", "body.organization", { organization: "{otherOrg}" }),
    send("edit", "POST /v1/collections/{outer}/transfer", "403 forbidden", { organization: "{otherOrg}" }),
    send("admin", "POST /v1/collections/{outer}/transfer", "409 same_organization", { organization: "{org}" }),
    ask("admin", "POST /v1/collections/{outer}/transfer", 200, {
      send: { organization: "{otherOrg}" },
      see: { id: "{outer}", organization: "{otherOrg}", parent: undefined },
    }),
    get("rival", "/v1/collections/{inner}", { organization: "{otherOrg}", parent: "{outer}" }),
    get("rival", "/v1/collections/{outer}/spaces", { count: 1, items: [{ id: "{a}" }] }),
    get("rival", "/v1/collections/{inner}/spaces", {
      count: 2,
      items: [{ id: "{b}" }, { id: "{c}", visibility: "in-collection" }],
    }),
    get("rival", "/v1/spaces/{b}", { organization: "{otherOrg}", parent: "{inner}" }),
    get("create", "/v1/orgs/{org}/spaces", { count: 0 }),
    get("create", "/v1/orgs/{org}/collections", { count: 0 }),
    ask("create", "GET /v1/collections/{outer}", "404 collection_not_found"),
    get("admin", "/v1/orgs/{org}/jobs", { count: 0 }),
    send("rival", "POST /v1/collections/{inner}/move", 200, { parent: null }),
  ]),
];
