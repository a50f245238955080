// Stories of translations.

import type { Translator } from "octavo";
import { TranslatorError } from "octavo/translators";
import { reversed } from "../../content/translation/translators";
import type { Scene, Story } from "../scenario";

const translator: Translator = async ({ texts }) => texts.map(reversed);
const all = "/v1/orgs/{org}/translations";
const one = `${all}/{translation}`;

const document = (...nodes: unknown[]) => ({ object: "document", data: { schemaVersion: 1 }, nodes });
const paragraph = (text: string) => ({
  object: "block",
  type: "paragraph",
  nodes: [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }],
});

/** A space with a page, a page below it, a group, a reusable content. */
const source: readonly Scene[] = [
  { as: "admin", ask: "POST /v1/orgs/{org}/spaces", send: { title: "Guide" }, expect: 201, keep: { space: "id" } },
  {
    as: "admin",
    ask: "POST /v1/spaces/{space}/content",
    send: {
      changes: [
        { operation: "insert_reusable_content", title: "Note", document: { markdown: "Mind the gap." }, ref: "note" },
        { operation: "insert_group", title: "Basics", ref: "group" },
        {
          operation: "insert_page",
          ref: "start",
          slug: "start",
          into: "group",
          description: "How to begin",
          document: { markdown: "# Getting started\n\nRun `npm i` or [go on](./next.md).\n" },
        },
        { operation: "insert_page", ref: "next", into: "start", title: "Next", document: { markdown: "Words." } },
      ],
    },
    expect: 200,
    keep: {
      reusable: (body) => body.changes[0].reusableContent,
      group: (body) => body.changes[1].page.id,
      start: (body) => body.changes[2].page.id,
      next: (body) => body.changes[3].page.id,
    },
  },
];

const made: readonly Scene[] = [
  ...source,
  {
    as: "create",
    ask: `POST ${all}`,
    send: { language: "de", source: { space: "{space}", language: "en" } },
    expect: 201,
    keep: { translation: "id", result: (body) => body.result.space },
    see: { object: "translation", status: "pending", language: "de", permissions: { view: true, edit: true } },
  },
];

export const stories: readonly Story[] = [
  {
    title: "a space is translated into a space of its own, with the same tree, ids and slugs",
    options: { translator },
    scenes: [
      ...made,
      {
        as: "create",
        ask: `GET ${one}`,
        expect: 200,
        see: {
          status: "completed",
          source: { space: "{space}", language: "en" },
          result: { space: "{result}" },
          stats: { runs: 1, totalPages: 3, latestPages: 3, totalWords: 16, latestWords: 16 },
        },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{result}/content/pages",
        expect: 200,
        see: (body: { pages: { id: string; title: string; slug: string; pages: unknown[] }[] }) => {
          const [group] = body.pages;
          const [start] = group!.pages as { title: string; slug: string; description: string; pages: unknown[] }[];
          const [next] = start!.pages as { title: string; path: string }[];
          return (
            group!.title === "scisaBq" &&
            start!.title === "gnitteGq detratsq" &&
            start!.slug === "start" &&
            start!.description === "woHq otq nigebq" &&
            next!.title === "txeNq" &&
            next!.path === "basics/start/next"
          );
        },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{result}/content/page/{start}",
        expect: 200,
        see: { markdown: "# gnitteGq detratsq\n\nnuRq `npm i` roq [ogq noq](/pages/{next}).\n" },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{result}/content/page/{next}/backlinks",
        expect: 200,
        see: { count: 1 },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{result}/content/reusable-contents/{reusable}",
        expect: 200,
        see: { title: "etoNq", markdown: "dniMq ehtq pagq." },
      },
      { as: "read", ask: "GET /v1/spaces/{result}/search?query=txeNq", expect: 200, see: { count: 1 } },
      { as: "read", ask: "GET /v1/spaces/{result}", expect: 200, see: { title: "Guide (de)", defaultLevel: null } },
      { as: "read", ask: `GET ${all}`, expect: 200, see: { count: 1, items: [{ id: "{translation}" }] } },
      { as: "stranger", ask: `GET ${all}`, expect: 404, reason: "organization_not_found" },
    ],
  },
  {
    title: "what is translated is named, and so is what is wrong",
    options: { translator },
    scenes: [
      ...made,
      ...[
        [{ source: { space: "{space}" } }, "body.language"],
        [{ language: "tlh", source: { space: "{space}" } }, "body.language"],
        [{ language: "de" }, "body.source"],
        [{ language: "de", source: { space: "spc_none" } }, "body.source.space"],
        [{ language: "de", source: { space: "{result}" } }, "body.source.space"],
        [{ language: "en", source: { space: "{space}", language: "en" } }, "body.language"],
        [{ language: "fr", source: { space: "{space}" }, more: 1 }, "body.more"],
        [{ language: "fr", source: { space: "{space}" }, instructions: { object: "x" } }, "body.instructions.object"],
        [
          { language: "fr", source: { space: "{space}" }, instructions: document({ object: "block", type: "evil" }) },
          "body.instructions.nodes.0.type",
        ],
        [
          { language: "fr", source: { space: "{space}" }, instructions: document(paragraph("x".repeat(21_000))) },
          "body.instructions",
        ],
      ].map(
        ([send, path]): Scene => ({
          as: "create",
          ask: `POST ${all}`,
          send,
          expect: 400,
          see: { error: { issues: [{ path }] } },
        }),
      ),
      {
        as: "create",
        ask: `POST ${all}`,
        send: { language: "de", source: { space: "{space}" } },
        expect: 409,
        reason: "translation_exists",
      },
      { as: "review", ask: `POST ${all}`, send: { language: "fr", source: { space: "{space}" } }, expect: 403 },
    ],
  },
  {
    title: "other instructions redo everything, and are given to the translator",
    options: {
      translator: async ({ texts, instructions, glossary }) =>
        texts.map((text) => `${reversed(text)}${instructions ?? ""}${glossary?.length ?? ""}`.slice(0, 80)),
    },
    scenes: [
      ...made,
      {
        as: "create",
        ask: `PUT ${one}`,
        send: { instructions: document(paragraph("Kind")) },
        expect: 200,
        see: { status: "pending", instructions: document(paragraph("Kind")) },
      },
      {
        as: "create",
        ask: `GET ${one}`,
        expect: 200,
        see: { status: "completed", stats: { runs: 2, latestPages: 3, totalPages: 6 } },
      },
      {
        as: "create",
        ask: "GET /v1/spaces/{result}/content/page/{next}",
        expect: 200,
        see: { title: "txeNqKind", markdown: "sdroWq.Kind" },
      },
      { as: "create", ask: `PUT ${one}`, send: {}, expect: 400 },
      {
        as: "create",
        ask: `PUT ${one}`,
        send: {
          instructions: document({ object: "block", type: "paragraph", nodes: [{ object: "text", leaves: 1 }] }),
        },
        expect: 400,
        see: { error: { issues: [{ path: "body.instructions.nodes.0.nodes.0.leaves" }] } },
      },
      { as: "edit", ask: `PUT ${one}`, send: { instructions: document() }, expect: 403 },
    ],
  },
  {
    title: "a run without a change translates nothing",
    options: { translator },
    scenes: [
      ...made,
      { as: "create", ask: `POST ${one}/run`, expect: 200, see: { status: "pending" } },
      {
        as: "create",
        ask: `GET ${one}`,
        expect: 200,
        see: { status: "completed", stats: { runs: 2, latestPages: 0, latestWords: 0, totalPages: 3 } },
      },
      { as: "edit", ask: `POST ${one}/run`, expect: 403 },
      { as: "create", ask: `POST ${all}/trl_none/run`, expect: 404, reason: "translation_not_found" },
    ],
  },
  {
    title: "sentences that lose their marks keep their source and are told of, however often it is tried",
    options: { translator: async ({ texts }) => texts.map((it) => (it.includes("<x") ? "nothing" : reversed(it))) },
    scenes: [
      ...made,
      {
        as: "create",
        ask: `GET ${one}`,
        expect: 200,
        see: { status: "completed", untranslated: { count: 1, pages: [{ page: "{start}", count: 1 }] } },
      },
      {
        as: "create",
        ask: "GET /v1/spaces/{result}/content/page/{start}",
        expect: 200,
        see: { markdown: "# gnitteGq detratsq\n\nRun `npm i` or [go on](/pages/{next}).\n" },
      },
      { as: "create", ask: `POST ${one}/run`, expect: 200 },
      {
        as: "create",
        ask: `GET ${one}`,
        expect: 200,
        see: { status: "completed", untranslated: { count: 1 }, stats: { runs: 2, latestPages: 1, latestWords: 4 } },
      },
    ],
  },
  {
    title: "a translator that refuses fails the translation, with its reason and without a key",
    options: {
      translator: async () => {
        throw new TranslatorError("unauthorized", "The translator at x.example refused the key (403).");
      },
    },
    scenes: [
      ...made,
      {
        as: "create",
        ask: `GET ${one}`,
        expect: 200,
        see: {
          status: "failed",
          error: "The translator at x.example refused the key (403).",
          stats: { runs: 1, totalPages: 0 },
        },
      },
      { as: "create", ask: "GET /v1/spaces/{result}/content/pages", expect: 200, see: { pages: [] } },
    ],
  },
  {
    title: "without a translator, making and running a translation says which option to set",
    scenes: [
      ...source,
      {
        as: "create",
        ask: `POST ${all}`,
        send: { language: "de", source: { space: "{space}" } },
        expect: 412,
        reason: "no_translator",
        see: { error: { message: "This server has no translator. Pass the `translator` option to `createDocsApi`." } },
      },
      { as: "read", ask: `POST ${all}`, send: { language: "de", source: { space: "{space}" } }, expect: 403 },
    ],
  },
  {
    title: "a translation is seen by those who see its source, and managed by those who manage its result",
    options: { translator },
    scenes: [
      ...made,
      { as: "read", ask: `GET ${one}`, expect: 200, see: { permissions: { view: true, edit: false } } },
      { as: "admin", ask: `GET ${one}`, expect: 200, see: { permissions: { view: true, edit: true } } },
      { as: "guest", ask: `GET ${one}`, expect: 404, reason: "translation_not_found" },
      { as: "guest", ask: `GET ${all}`, expect: 200, see: { count: 0 } },
      { as: "guest", ask: "GET /v1/spaces/{result}", expect: 404 },
      { as: "admin", ask: "PATCH /v1/spaces/{space}", send: { defaultLevel: null }, expect: 200 },
      { as: "read", ask: `GET ${one}`, expect: 404 },
      { as: "read", ask: "GET /v1/spaces/{result}", expect: 404 },
      { as: "read", ask: "GET /v1/spaces/{result}/content/page/{start}", expect: 404 },
      { as: "read", ask: "GET /v1/orgs/{org}/search?query=txeNq", expect: 200, see: { count: 0 } },
      { as: "create", ask: `GET ${one}`, expect: 404 },
      { as: "create", ask: "GET /v1/spaces/{result}", expect: 404 },
      { as: "create", ask: `DELETE ${one}`, expect: 204 },
      { as: "admin", ask: `GET ${one}`, expect: 200 },
      {
        as: "admin",
        ask: "POST /v1/spaces/{space}/permissions",
        send: { users: [{ id: "{guest}", role: "read" }], teams: [] },
        expect: 204,
      },
      { as: "guest", ask: "GET /v1/spaces/{result}/content/page/{start}", expect: 200 },
      { as: "guest", ask: `GET ${one}`, expect: 200, see: { permissions: { view: true, edit: false } } },
      { as: "guest", ask: `DELETE ${one}`, expect: 403 },
    ],
  },
  {
    title: "a translation that is ended leaves its result to whoever made it, and to nobody else",
    options: { translator },
    scenes: [
      ...made,
      { as: "read", ask: "GET /v1/spaces/{result}", expect: 200 },
      { as: "read", ask: `DELETE ${one}`, expect: 403 },
      { as: "create", ask: `DELETE ${one}`, expect: 204 },
      { as: "create", ask: `DELETE ${one}`, expect: 204 },
      { as: "create", ask: `GET ${one}`, expect: 404 },
      { as: "read", ask: "GET /v1/spaces/{result}", expect: 404 },
      { as: "create", ask: "GET /v1/spaces/{result}/content/page/{start}", expect: 200 },
      { as: "create", ask: "PATCH /v1/spaces/{result}", send: { defaultLevel: "read" }, expect: 200 },
      { as: "read", ask: "GET /v1/spaces/{result}", expect: 200 },
      { as: "create", ask: `POST ${all}`, send: { language: "de", source: { space: "{space}" } }, expect: 201 },
    ],
  },
];
