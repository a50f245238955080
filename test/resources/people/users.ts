// Users as stories: everybody changes their own name and picture, and nobody else's.

import { ask, defineStory, get, refuse, type Story, send } from "../scenario";

export const stories: Story[] = [
  defineStory("a user changes their own name and picture, and others see it", [
    ask("edit", "PATCH /v1/user", 200, {
      send: { displayName: "Ada", photoURL: "https://example.com/ada.png" },
      see: {
        object: "user",
        id: "{edit}",
        displayName: "Ada",
        photoURL: "https://example.com/ada.png",
        email: "edit@example.com",
      },
    }),
    get("read", "/v1/users/{edit}", { displayName: "Ada", photoURL: "https://example.com/ada.png" }),
    get("read", "/v1/orgs/{org}/members/{edit}", { user: { displayName: "Ada" } }),
    get("read", "/v1/orgs/{org}/members?search=ada", { count: 1 }),
    ask("edit", "PATCH /v1/users/{edit}", 200, {
      send: { displayName: "Ada L." },
      see: { displayName: "Ada L.", photoURL: "https://example.com/ada.png" },
    }),
    ask("edit", "PATCH /v1/users/{edit}", 200, { send: {}, see: { displayName: "Ada L." } }),
    ask("edit", "PATCH /v1/user", 200, { send: { photoURL: null }, see: { photoURL: undefined } }),
    get("edit", "/v1/user", { displayName: "Ada L.", photoURL: undefined }),
    refuse("edit", "PATCH /v1/user", "body.displayName", { displayName: "" }),
    refuse("edit", "PATCH /v1/user", "body.displayName", { displayName: "x".repeat(65) }),
    refuse("edit", "PATCH /v1/user", "body.photoURL", { photoURL: "javascript:alert(1)" }),
    refuse("edit", "PATCH /v1/user", "body.email", { email: "other@example.com" }),
    send("admin", "PATCH /v1/users/{edit}", "403 forbidden", { displayName: "Mine" }),
    send("guest", "PATCH /v1/users/{edit}", "404 user_not_found", { displayName: "Mine" }),
    send("stranger", "PATCH /v1/users/{edit}", "404 user_not_found", { displayName: "Mine" }),
    send("edit", "PATCH /v1/users/usr_none", "404 user_not_found", { displayName: "Mine" }),
    ask(null, "PATCH /v1/user", 401, { send: { displayName: "Mine" } }),
  ]),
];
