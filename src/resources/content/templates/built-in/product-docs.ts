// Documentation of a product for the people who use it. The texts stand first, the tree that they make at the end.

import type { Template } from "../../../../content/templates";
import { formatCode, formatVariable } from "./writing";

const product = formatVariable("product");
const version = formatVariable("version");
const email = formatVariable("supportEmail");

const welcome = `These pages take you from installing ${product} to your daily work with it, and help when something goes wrong.

| You want to | Read |
| --- | --- |
| Set it up | [Install](start/install.md) |
| See it work | [Quick start](start/quick-start.md) |
| Get something done | [Projects](guides/projects.md) |
| Solve a problem | [Troubleshooting](help/troubleshooting.md) |

{% hint style="info" %}
**For the author:** the product's name, its version and the support address are variables of this space. Set them once and \
every page follows. When the list below is done, delete it with this note.
{% endhint %}

* [ ] Set the variables
* [ ] Put your own commands into Install
* [ ] Follow the quick start on a clean machine
* [ ] Write the first release note
`;

const install = `You need 2 GB of free disk space, the right to install software, and five minutes.

{% tabs %}
{% tab title="macOS" %}
${formatCode("sh", "brew install acme")}
{% endtab %}

{% tab title="Windows" %}
${formatCode("powershell", "winget install acme")}
{% endtab %}

{% tab title="Linux" %}
${formatCode("sh", "curl -LO https://example.com/acme.tar.gz\ntar -xzf acme.tar.gz\nsudo ./acme/install")}
{% endtab %}
{% endtabs %}

## Check that it works

${formatCode("sh", "acme --version")}

If this prints ${version} or a later version, go on with the [quick start](quick-start.md). If it does not, look into \
[Troubleshooting](../help/troubleshooting.md).
`;

const quickStart = `In ten minutes you make a project, change it and see the result. [Install](install.md) ${product} first.

{% stepper %}
{% step %}
### Make a project

${formatCode("sh", "acme new demo\ncd demo")}
{% endstep %}

{% step %}
### Change something

Open the settings and give the project a name of your own.

${formatCode("yaml", "name: My first project\nlanguage: en", "demo/settings.yaml")}
{% endstep %}

{% step %}
### See the result

${formatCode("sh", "acme start")}

Open \`http://localhost:8080\`. Your new name is at the top.
{% endstep %}
{% endstepper %}

{% content-ref url="../guides/projects.md" %}
[projects.md](../guides/projects.md)
{% endcontent-ref %}
`;

const projects = `A project holds what belongs together: content, settings and people. Make one for everything that has its \
own audience; use folders for the rest.

* **Find** it by typing a part of its name into the search field.
* **Rename** it under _Settings_. Links to it keep working.
* **Archive** it when the work is done. It can still be read, but not changed.

Next: [share a project](projects/share.md).
`;

const share = `Everybody you invite gets a role. Begin with the smallest one that lets them work; you can raise it at any time.

| Role | Read | Change | Invite |
| --- | --- | --- | --- |
| Viewer | yes | no | no |
| Editor | yes | yes | no |
| Owner | yes | yes | yes |

1. Open the project and choose **Share**.
2. Enter an email address and pick a role.
3. Choose **Send**.

{% hint style="warning" %}
A project needs an owner. Before you leave, make somebody else one.
{% endhint %}
`;

const troubleshooting = `Find what you see, and try the steps in their order.

<details>
<summary>The command is not found</summary>

Open a new terminal. If that changes nothing, [install](../start/install.md) again and read the last lines of the output.

</details>

<details>
<summary>The port is already in use</summary>

Stop the other program, or choose another port: \`acme start --port 8081\`.

</details>

## Nothing helps?

Write to ${email}. Tell us what you did, what you expected, what happened instead, and what \`acme --version\` prints.

{% hint style="danger" %}
Never send passwords or keys. Take them out of logs first.
{% endhint %}
`;

const releases = `The newest release stands first. Each entry says what changed for you, and whether you have to do something.

{% updates format="full" %}
{% update date="2025-02-03" %}
## 1.0.1

**Fixed:** names with accents no longer stop a project from starting. There is nothing to do.
{% endupdate %}

{% update date="2025-01-15" %}
## 1.0.0

The first release, with projects and [sharing](../guides/projects/share.md).
{% endupdate %}
{% endupdates %}
`;

export const productDocs: Template = {
  id: "product-docs",
  title: "Product documentation",
  description: "Installation, guides and help for users of a product.",
  variables: { product: "Acme", version: "1.0.1", supportEmail: "support@example.com" },
  pages: [
    { title: "Welcome", slug: "welcome", icon: "house", markdown: welcome },
    {
      title: "Get started",
      slug: "start",
      pages: [
        { title: "Install", slug: "install", markdown: install },
        { title: "Quick start", slug: "quick-start", markdown: quickStart },
      ],
    },
    {
      title: "Guides",
      slug: "guides",
      pages: [
        {
          title: "Projects",
          slug: "projects",
          markdown: projects,
          pages: [{ title: "Share a project", slug: "share", markdown: share }],
        },
      ],
    },
    {
      title: "Help",
      slug: "help",
      pages: [
        { title: "Troubleshooting", slug: "troubleshooting", markdown: troubleshooting },
        { title: "Release notes", slug: "releases", markdown: releases },
      ],
    },
  ],
};
