// Tokens of a company's directory as stories. What they open is in `test/sign-in/scim.test.ts`.

import { ask, defineStory, get, list, type Story, send } from "../scenario";

const AT = "/v1/orgs/{org}/scim-tokens";
const ten = Array.from({ length: 10 }, (_, i) =>
  send("admin" as const, `POST ${AT}`, 201, { label: `Directory ${i}` }),
);

export const stories: Story[] = [
  defineStory("an admin issues a token for a directory, whose value is shown once, and revokes it", [
    ask("admin", `POST ${AT}`, 201, {
      send: { label: "Okta" },
      see: {
        object: "scim-token",
        label: "Okta",
        token: (value: unknown) => /^octavo_scim_[0-9a-z]{32}$/.test(String(value)),
      },
      keep: { token: "id" },
      seeHeaders: { location: (url) => url?.includes("/scim-tokens/tok_") === true },
    }),
    list("admin", AT, [{ id: "{token}", token: undefined }]),
    ask("create", `GET ${AT}`, 403),
    ask("rival", `DELETE ${AT}/{token}`, 404),
    ask("admin", `DELETE ${AT}/{token}`, 204),
    get("admin", AT, { count: 0 }),
  ]),
  defineStory("an organization has ten tokens for directories at the most", [
    ...ten,
    send("admin", `POST ${AT}`, 400, { label: "One more" }),
  ]),
];
