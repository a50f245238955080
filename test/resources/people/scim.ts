// Tokens of a company's directory as stories. What they open is in `test/sign-in/scim.test.ts`.

import type { Story } from "../scenario";

const AT = "/v1/orgs/{org}/scim-tokens";
const ten = Array.from({ length: 10 }, (_, i) => ({
  as: "admin" as const,
  ask: `POST ${AT}`,
  send: { label: `Directory ${i}` },
  expect: 201,
}));

export const stories: Story[] = [
  {
    title: "an admin issues a token for a directory, whose value is shown once, and revokes it",
    scenes: [
      {
        as: "admin",
        ask: `POST ${AT}`,
        send: { label: "Okta" },
        expect: 201,
        see: {
          object: "scim-token",
          label: "Okta",
          token: (value: unknown) => /^octavo_scim_[0-9a-z]{32}$/.test(String(value)),
        },
        keep: { token: "id" },
        seeHeaders: { location: (url) => url?.includes("/scim-tokens/tok_") === true },
      },
      { as: "admin", ask: `GET ${AT}`, expect: 200, see: { count: 1, items: [{ id: "{token}", token: undefined }] } },
      { as: "create", ask: `GET ${AT}`, expect: 403 },
      { as: "create", ask: `POST ${AT}`, send: { label: "Mine" }, expect: 403 },
      { as: "rival", ask: `DELETE ${AT}/{token}`, expect: 404 },
      { as: "admin", ask: `DELETE ${AT}/{token}`, expect: 204 },
      { as: "admin", ask: `GET ${AT}`, expect: 200, see: { count: 0 } },
    ],
  },
  {
    title: "an organization has ten tokens for directories at the most",
    scenes: [...ten, { as: "admin", ask: `POST ${AT}`, send: { label: "One more" }, expect: 400 }],
  },
];
