// The reference of an HTTP API for the people who call it. The texts stand first, the tree that they make at the end.

import type { Template } from "../../../../content/templates";
import { formatCode, formatVariable } from "./writing";

const api = formatVariable("api");
const baseUrl = formatVariable("baseUrl");

const introduction = `The ${api} speaks JSON over HTTPS. Every path in this reference follows ${baseUrl}. The version is \
part of it: within a version we only add, so write clients that ignore what they do not know.

| Value | Written as |
| --- | --- |
| Time | ISO 8601 in UTC: \`2025-01-15T09:30:00Z\` |
| Id | Text; do not read a meaning into it |

For a first call, [authenticate](basics/authentication.md) and [list your projects](resources/projects/list.md).

{% hint style="info" %}
**For the author:** name and base URL are variables of this space. Code cannot show variables: replace \`api.example.com\` \
there too. Copy Projects for each of your own resources, then delete this note.
{% endhint %}
`;

const authentication = `Every request carries an API key in a header. Make a key under _Settings → API keys_.

{% tabs %}
{% tab title="curl" %}
${formatCode("sh", 'curl https://api.example.com/v1/projects \\\n  -H "Authorization: Bearer $API_KEY"')}
{% endtab %}

{% tab title="JavaScript" %}
${formatCode("js", 'await fetch("https://api.example.com/v1/projects", {\n  headers: { Authorization: "Bearer " + key },\n});')}
{% endtab %}
{% endtabs %}

A key that is missing, wrong or revoked is answered with \`401\`: see [Errors](errors.md).

{% hint style="danger" %}
A key can do whatever its owner can. Keep it on your server, never in a web page or an app.
{% endhint %}
`;

const errors = `A status from 200 to 299 means that it worked. Anything else comes with a body like this:

${formatCode("json", '{\n  "error": {\n    "code": "name_taken",\n    "message": "Another project has this name."\n  }\n}', "409 Conflict")}

Let programs decide by \`code\`, which never changes. \`message\` is for people and may be reworded.

| Status | Meaning | What to do |
| --- | --- | --- |
| 400 | The request is malformed | Correct it |
| 401 | The key is not valid | [Authenticate](authentication.md) |
| 403 | The key may not do this | Ask an owner |
| 404 | Not there, or hidden from you | Check the id |
| 429 | Too many requests | [Wait](limits.md) |
| 5xx | Our fault | Try again later |
`;

const limits = `## Lists come in pages

Ask for a size with \`limit\` (1 to 100, default 20). While there is more, the answer has a \`next\`: pass it as \`cursor\`.

${formatCode(
  "js",
  "let cursor;\ndo {\n  const page = await list({ limit: 100, cursor });\n  page.items.forEach(handle);\n  cursor = page.next;\n} while (cursor);",
  "Read a whole list",
)}

## Requests are counted

A key may make 100 requests a minute. After that, \`429\` says in \`Retry-After\` how many seconds to wait.

{% hint style="warning" %}
When you repeat a POST, send the same \`Idempotency-Key\` again, so that it takes effect only once.
{% endhint %}
`;

const projects = `A project is what everything else in the API belongs to. [List](projects/list.md) yours, or [create](projects/create.md) one.

${formatCode("json", '{\n  "id": "prj_7Kd2",\n  "name": "Website",\n  "createdAt": "2025-01-15T09:30:00Z"\n}', "A project")}

| Member | Type | Notes |
| --- | --- | --- |
| \`id\` | string | Given by the server, never changes |
| \`name\` | string | 1 to 100 characters, unique |
| \`createdAt\` | time | Given by the server |
`;

const list = `**GET** \`/projects\`

Lists the projects that your key can see, the newest first, in [pages](../../basics/limits.md).

| Query | Type | Notes |
| --- | --- | --- |
| \`name\` | string | Only those whose name contains this |
| \`limit\` | number | 1 to 100, default 20 |
| \`cursor\` | string | The \`next\` of the page before |

${formatCode("json", '{\n  "items": [{ "id": "prj_7Kd2", "name": "Website" }],\n  "next": "c_81f0"\n}', "200 OK")}

Without projects, \`items\` is empty.
`;

const create = `**POST** \`/projects\`

Creates a project and answers with all its members. Your key needs the right to write.

${formatCode("json", '{ "name": "Website" }', "Request")}

<details>
<summary>What can go wrong</summary>

* \`400 name_invalid\`: there is no name, or it is too long.
* \`409 name_taken\`: you have a project of this name already.

The rest is in [Errors](../../basics/errors.md).

</details>
`;

export const apiReference: Template = {
  id: "api-reference",
  title: "API reference",
  description: "The conventions and resources of an HTTP API, for developers who use it.",
  variables: { api: "Acme API", baseUrl: "https://api.example.com/v1" },
  pages: [
    { title: "Introduction", slug: "introduction", icon: "house", markdown: introduction },
    {
      title: "Basics",
      slug: "basics",
      pages: [
        { title: "Authentication", slug: "authentication", icon: "key", markdown: authentication },
        { title: "Errors", slug: "errors", markdown: errors },
        { title: "Pages and limits", slug: "limits", markdown: limits },
      ],
    },
    {
      title: "Resources",
      slug: "resources",
      pages: [
        {
          title: "Projects",
          slug: "projects",
          markdown: projects,
          pages: [
            { title: "List projects", slug: "list", markdown: list },
            { title: "Create a project", slug: "create", markdown: create },
          ],
        },
      ],
    },
  ],
};
