// Small copies of real repositories: files written by tools, and files written by hand.

import type { Contents } from "./trees";

const PNG = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
  (it) => it.charCodeAt(0),
);

const gitbook: Contents = {
  ".gitbook.yaml":
    "root: ./\n\nstructure:\n  readme: README.md\n  summary: SUMMARY.md\n\nredirects:\n  old-start: guides/start.md\n",
  "README.md":
    "---\ndescription: What this is\nicon: house\n---\n\n# Welcome\n\nSee [the start](guides/start.md) and ![logo](.gitbook/assets/logo.png).\n",
  "SUMMARY.md":
    '# Table of contents\n\n* [Welcome](README.md)\n* [Changelog](changelog.md "What changed")\n\n## Guides <a href="#guides" id="guides"></a>\n\n* [Getting started](guides/start.md)\n  * [Install](guides/start/install.md)\n    * [On Linux](guides/start/install/linux.md)\n  * [First steps](guides/start/first-steps.md)\n* [Community](https://example.com/community)\n* [Requirements](guides/start/install.md#requirements)\n\n## Reference\n\n* [API](reference/README.md)\n  * ```yaml\n    type: builtin:openapi\n    props:\n      models: true\n    dependencies:\n      spec:\n        ref:\n          kind: openapi\n          spec: petstore\n    ```\n',
  "changelog.md": '# Changes\n\n{% include ".gitbook/includes/notice.md" %}\n',
  "guides/start.md":
    '---\ncover: ../.gitbook/assets/logo.png\ncoverY: 12\nunknown: kept\n---\n\n# Getting started\n\n{% content-ref url="start/install.md" %}\n[install.md](start/install.md)\n{% endcontent-ref %}\n',
  "guides/start/install.md":
    "# Install\n\n## Requirements\n\nNone. Back to [the start](../start.md), or [home](../../README.md).\n",
  "guides/start/install/linux.md":
    '# On Linux\n\n{% hint style="info" %}\nNothing to do.\n{% endhint %}\n\n{% file src="../../../.gitbook/assets/setup.txt" %}\nSetup\n{% endfile %}\n',
  "guides/start/first-steps.md": "# First steps\n\nFrom [install](install.md#requirements) on.\n",
  "reference/README.md": "# API\n\nText.\n",
  "not-listed.md": "# Not listed\n",
  LICENSE: "MIT\n",
  ".gitbook/assets/logo.png": PNG,
  ".gitbook/assets/setup.txt": "Run it.\n",
  ".gitbook/includes/notice.md":
    "---\ntitle: Notice\n---\n\nMind the [start](../../guides/start.md) and ![x](../assets/logo.png).\n",
  ".gitbook/vars.yaml": "product: Octavo\nversion: 3\nbeta: true\n",
  ".gitbook/tags.yaml": "- tag: one\n",
};

const mdbook: Contents = {
  "book.toml": '[book]\nauthors = ["A"]\ntitle = "The Book"\nsrc = "text"\n\n[output.html]\n',
  "text/SUMMARY.md":
    "# Summary\n\n[Introduction](README.md)\n\n# User guide\n\n- [Installation](guide/installation.md)\n- [Reading](guide/reading.md)\n    - [A draft]()\n- [Creating](guide/creating.md)\n    - [Deeper](guide/deeper/index.md)\n\n---\n\n# Reference guide\n\n- [Command line](cli/README.md)\n\n-----------\n\n[Contributors](misc/contributors.md)\n",
  "text/README.md": "# Introduction\n\nSee [install](guide/installation.md).\n",
  "text/guide/installation.md": "# Installation\n\n![x](img/x.png)\n",
  "text/guide/reading.md": "# Reading\n\n{{#include ../listing.rs}}\n",
  "text/guide/creating.md": "# Creating\n\n[deeper](deeper/index.html)\n",
  "text/guide/deeper/index.md": "# Deeper\n",
  "text/guide/img/x.png": PNG,
  "text/cli/README.md": "# Command line\n",
  "text/misc/contributors.md": "Thanks to everybody.\n",
  "text/listing.rs": "fn main() {}\n",
};

const honkit: Contents = {
  "book.json":
    '{\n  "root": "./docs",\n  "title": "Manual",\n  "structure": { "readme": "intro.md", "summary": "toc.md" }\n}\n',
  "README.md": "# The repository\n",
  "docs/toc.md":
    "# Summary\n\n### Part I\n\n* [Writing](part1/README.md)\n    * [Is nice](part1/writing.md)\n* Planned\n    * [Soon](part1/soon.md)\n\n----\n\n* [Last](last.md)\n",
  "docs/intro.md": "# Introduction\n",
  "docs/GLOSSARY.md": "## Term\nA word.\n",
  "docs/part1/README.md": "# Part I\n\n[Writing](writing.md)\n",
  "docs/part1/writing.md": "Writing is nice.\n",
  "docs/part1/soon.md": "# Soon\n",
  "docs/last.md": "Last words\n==========\n\nBye.\n",
};

const folders: Contents = {
  "README.md": "# Project\n\n[Usage](docs/usage.md)\n",
  "docs/README.md": "# Docs\n",
  "docs/10-later.md": "# Later\n",
  "docs/2-setup.md": "# Setup\n\n[Later](10-later.md) ![a](../images/a.png)\n",
  "docs/usage.md": "no title here\n",
  "docs/deep/er/page.md": "# Page\n",
  "images/a.png": PNG,
  "images/unused.png": PNG,
  "src/index.ts": "export {};\n",
};

const nested: Contents = {
  "projects/one/.gitbook.yaml": "root: ./documentation/\nstructure:\n  summary: contents/toc.md\n",
  "projects/one/documentation/contents/toc.md": "# Table of contents\n\n* [Home](../README.md)\n* [Two](../two.md)\n",
  "projects/one/documentation/README.md": "# Home\n\n[shared](../../../shared/picture.png) [two](two.md)\n",
  "projects/one/documentation/two.md": "# Two\n\n![a](../.gitbook/assets/a.png)\n",
  "projects/one/.gitbook/assets/a.png": PNG,
  "projects/two/README.md": "# Another project\n",
  "shared/picture.png": PNG,
};

const windows: Contents = {
  "SUMMARY.md": "\ufeff# Table of contents\r\n\r\n* [Home](README.md)\r\n  * [Below](below.md)\r\n",
  "README.md": "\ufeff---\r\ndescription: With a mark\r\n---\r\n\r\n# Home\r\n\r\n[Below](below.md)\r\n",
  "below.md": "# Below\r\n\r\nNo line ending at the end",
};

const international: Contents = {
  "SUMMARY.md":
    "# Table of contents\n\n* [はじめに](README.md)\n* [Über uns](über-uns.md)\n* [设置](<指南/设置 说明.md>)\n  * [Кавычки](指南/файл%20%281%29.md)\n* [Same](a/page.md)\n* [Same](b/page.md)\n",
  "README.md": "# はじめに\n\n[设置](<指南/设置 说明.md>)\n",
  "über-uns.md": "# Über uns\n",
  "指南/设置 说明.md": "# 设置\n\n[x](файл%20%281%29.md) ![b](<../картинка 1.png>)\n",
  "指南/файл (1).md": "# Кавычки\n",
  "картинка 1.png": PNG,
  "a/page.md": "# Same\n",
  "b/page.md": "# Same\n",
};

const deep: Contents = (() => {
  const names = Array.from({ length: 45 }, (_, i) => `level-${i}`);
  const paths = names.map((_, i) => `${names.slice(0, i + 1).join("/")}.md`);
  const lines = paths.map((path, i) => `${"  ".repeat(i)}* [Level ${i}](${path})\n`).join("");
  return {
    "SUMMARY.md": `# Table of contents\n\n${lines}`,
    ...Object.fromEntries(paths.map((path, i) => [path, `# Level ${i}\n`])),
  };
})();

/** A repository, the folder of it that has the book, and the root of the book. */
export interface Example {
  readonly name: string;
  readonly contents: Contents;
  readonly directory: string;
  readonly root: string;
}

const example = (name: string, contents: Contents, root = "", directory = ""): Example => ({
  name,
  contents,
  directory,
  root,
});

/** Repositories by what they are like. */
export const corpus: readonly Example[] = [
  example("a book with groups, links, includes and variables", gitbook),
  example("a book of mdBook", mdbook, "text/"),
  example("a book of HonKit", honkit, "docs/"),
  example("folders without a table of contents", folders),
  example("a book in a folder, with a root of its own", nested, "projects/one/documentation/", "projects/one"),
  example("a book from Windows, with byte order marks", windows),
  example("a book with names in many scripts", international),
  example("a book that is nested very deep", deep),
];

export { folders, gitbook, honkit, mdbook, nested, PNG };
