// Stories of translations.

import type { Translator } from "octavo";
import { TranslatorError } from "octavo/translators";
import { reversed } from "../../content/translation/translators";
import { ask, create, defineStory, get, list, refuse, type Scene, type Story, send } from "../scenario";

const translator: Translator = async ({ texts }) => texts.map(reversed);
/** Adds the terms that it was given to every text, so that a story can read them. */
const teller: Translator = async ({ texts, glossary = [] }) => {
  const terms = glossary.map(({ term, translation }) => `${term}=${translation}`).join(", ");
  return texts.map((text) => `${text} (${terms})`);
};
const glossary = "/v1/orgs/{org}/translations-glossary";
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
  create("admin", "POST /v1/orgs/{org}/spaces", "space", { title: "Guide" }),
  ask("admin", "POST /v1/spaces/{space}/content", 200, {
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
    keep: {
      reusable: (body) => body.changes[0].reusableContent,
      group: (body) => body.changes[1].page.id,
      start: (body) => body.changes[2].page.id,
      next: (body) => body.changes[3].page.id,
    },
  }),
];

const made: readonly Scene[] = [
  ...source,
  ask("create", `POST ${all}`, 201, {
    send: { language: "de", source: { space: "{space}", language: "en" } },
    keep: { translation: "id", result: (body) => body.result.space },
    see: { object: "translation", status: "pending", language: "de", permissions: { view: true, edit: true } },
  }),
];

export const stories: readonly Story[] = [
  defineStory(
    "a space is translated into a space of its own, with the same tree, ids and slugs",
    { options: { translator } },
    [
      ...made,
      get("create", one, {
        status: "completed",
        source: { space: "{space}", language: "en" },
        result: { space: "{result}" },
        stats: { runs: 1, totalPages: 3, latestPages: 3, totalWords: 16, latestWords: 16 },
      }),
      get(
        "read",
        "/v1/spaces/{result}/content/pages",
        (body: { pages: { id: string; title: string; slug: string; pages: unknown[] }[] }) => {
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
      ),
      get("read", "/v1/spaces/{result}/content/page/{start}", {
        markdown: "# gnitteGq detratsq\n\nnuRq `npm i` roq [ogq noq](/pages/{next}).\n",
      }),
      get("read", "/v1/spaces/{result}/content/page/{next}/backlinks", { count: 1 }),
      get("read", "/v1/spaces/{result}/content/reusable-contents/{reusable}", {
        title: "etoNq",
        markdown: "dniMq ehtq pagq.",
      }),
      get("read", "/v1/spaces/{result}/search?query=txeNq", { count: 1 }),
      get("read", "/v1/spaces/{result}", { title: "Guide (de)", defaultLevel: null }),
      list("read", all, [{ id: "{translation}" }]),
      ask("stranger", `GET ${all}`, "404 organization_not_found"),
    ],
  ),
  defineStory("glossary entries are added, replaced and deleted together, or none of them", [
    ask("edit", `PUT ${glossary}`, "403 forbidden", { send: { entries: [{ translations: { en: "Page" } }] } }),
    ask("guest", `GET ${glossary}`, "403 forbidden"),
    ask("rival", `GET ${glossary}`, "404 organization_not_found"),
    ...[
      [{}, "body.entries"],
      [{ entries: [] }, "body.entries"],
      [{ entries: Array.from({ length: 101 }, () => ({ translations: { en: "A" } })) }, "body.entries"],
      [{ entries: [{ translations: { tlh: "Daq" } }] }, "body.entries.0.translations.tlh"],
      [{ entries: [{ translations: { en: " " } }] }, "body.entries.0.translations.en"],
      [{ entries: [{ translations: { en: "x".repeat(201) } }] }, "body.entries.0.translations.en"],
      [{ entries: [{ translations: { en: "A" } }, { translations: {} }] }, "body.entries.1.translations"],
      [{ entries: [{ translations: { en: "A" } }, { translations: null }] }, "body.entries.1.id"],
      [{ entries: [{ translations: { en: "A" } }, { id: "gle_none", translations: null }] }, "body.entries.1.id"],
    ].map(([body, path]): Scene => refuse("create", `PUT ${glossary}`, path, body)),
    list("read", glossary, []),
    send("create", `PUT ${glossary}`, 204, {
      entries: [{ translations: { en: "Space", de: "Bereich" } }, { translations: { en: "page", fr: "page" } }],
    }),
    // The same request a day later adds nothing.
    ask("create", `PUT ${glossary}`, 204, {
      after: 24 * 60 * 60 * 1000,
      send: { entries: [{ translations: { de: "Bereich", en: "Space" } }] },
    }),
    ask("read", `GET ${glossary}?orderBy=en`, 200, {
      see: {
        count: 2,
        items: [
          { object: "glossary-entry", translations: { en: "page", fr: "page" } },
          { translations: { en: "Space", de: "Bereich" } },
        ],
      },
      keep: { page: "items.0.id", spaceTerm: "items.1.id" },
    }),
    list("read", `${glossary}?orderBy=de`, [{ id: "{spaceTerm}" }, { id: "{page}" }]),
    get("read", `${glossary}?orderBy=en&limit=1`, { count: 2, items: [{ id: "{page}" }] }),
    ask("read", `GET ${glossary}?orderBy=tlh`, 400),
    get("read", `${glossary}/{page}`, { id: "{page}", translations: { en: "page", fr: "page" } }),
    ask("guest", `GET ${glossary}/{page}`, "404 glossary_entry_not_found"),
    ask("read", `GET ${glossary}/gle_none`, "404 glossary_entry_not_found"),
    send("create", `PUT ${glossary}`, 204, {
      entries: [
        { id: "{spaceTerm}", translations: { en: "Space", es: "Espacio" } },
        { id: "{page}", translations: null },
      ],
    }),
    list("read", glossary, [{ id: "{spaceTerm}", translations: { en: "Space", es: "Espacio", de: undefined } }]),
    ask("read", `GET ${glossary}/{page}`, "404 glossary_entry_not_found"),
    ...Array.from(
      { length: 5 },
      (_, batch): Scene =>
        send("create", `PUT ${glossary}`, batch < 4 ? 204 : "409 too_many_glossary_entries", {
          entries: Array.from({ length: 100 }, (_, n) => ({ translations: { en: `Term ${batch}.${n}` } })),
        }),
    ),
    get("read", `${glossary}?limit=1000`, { count: 401 }),
  ]),
  defineStory(
    "a translation uses the terms of its languages in its next run, and translates all pages again when they have changed",
    { options: { translator: teller } },
    [
      send("create", `PUT ${glossary}`, 204, {
        entries: [{ translations: { en: "Space", de: "Bereich", fr: "Espace" } }, { translations: { en: "Page" } }],
      }),
      ...made,
      get("create", one, { status: "completed", stats: { runs: 1, totalPages: 3 } }),
      get("read", "/v1/spaces/{result}/content/page/{next}", {
        markdown: (text: string) => text.includes("(Space=Bereich)"),
      }),
      // Terms of other languages change nothing.
      send("create", `PUT ${glossary}`, 204, { entries: [{ translations: { en: "Site", fr: "Site" } }] }),
      ask("create", `POST ${one}/run`, 200),
      get("create", one, { status: "completed", stats: { runs: 2, totalPages: 3, latestPages: 0 } }),
      send("create", `PUT ${glossary}`, 204, { entries: [{ translations: { en: "Word", de: "Wort" } }] }),
      get("read", "/v1/spaces/{result}/content/page/{next}", {
        markdown: (text: string) => text.includes("(Space=Bereich)"),
      }),
      ask("create", `POST ${one}/run`, 200),
      get("create", one, { status: "completed", stats: { runs: 3, totalPages: 6, latestPages: 3 } }),
      get("read", "/v1/spaces/{result}/content/page/{next}", {
        markdown: (text: string) =>
          text.includes("Space=Bereich") && text.includes("Word=Wort") && !text.includes("Site"),
      }),
    ],
  ),
  defineStory("what is translated is named, and so is what is wrong", { options: { translator } }, [
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
    ].map(([send, path]): Scene => refuse("create", `POST ${all}`, path, send)),
    send("create", `POST ${all}`, "409 translation_exists", { language: "de", source: { space: "{space}" } }),
    send("review", `POST ${all}`, 403, { language: "fr", source: { space: "{space}" } }),
  ]),
  {
    title: "other instructions redo everything, and are given to the translator",
    options: {
      translator: async ({ texts, instructions, glossary }) =>
        texts.map((text) => `${reversed(text)}${instructions ?? ""}${glossary?.length ?? ""}`.slice(0, 80)),
    },
    scenes: [
      ...made,
      ask("create", `PUT ${one}`, 200, {
        send: { instructions: document(paragraph("Kind")) },
        see: { status: "pending", instructions: document(paragraph("Kind")) },
      }),
      get("create", one, { status: "completed", stats: { runs: 2, latestPages: 3, totalPages: 6 } }),
      get("create", "/v1/spaces/{result}/content/page/{next}", { title: "txeNqKind", markdown: "sdroWq.Kind" }),
      send("create", `PUT ${one}`, 400, {}),
      refuse("create", `PUT ${one}`, "body.instructions.nodes.0.nodes.0.leaves", {
        instructions: document({ object: "block", type: "paragraph", nodes: [{ object: "text", leaves: 1 }] }),
      }),
      send("edit", `PUT ${one}`, 403, { instructions: document() }),
    ],
  },
  defineStory("a run without a change translates nothing", { options: { translator } }, [
    ...made,
    ask("create", `POST ${one}/run`, 200, { see: { status: "pending" } }),
    get("create", one, { status: "completed", stats: { runs: 2, latestPages: 0, latestWords: 0, totalPages: 3 } }),
    ask("edit", `POST ${one}/run`, 403),
    ask("create", `POST ${all}/trl_none/run`, "404 translation_not_found"),
  ]),
  {
    title: "sentences that lose their marks keep their source and are told of, however often it is tried",
    options: { translator: async ({ texts }) => texts.map((it) => (it.includes("<x") ? "nothing" : reversed(it))) },
    scenes: [
      ...made,
      get("create", one, { status: "completed", untranslated: { count: 1, pages: [{ page: "{start}", count: 1 }] } }),
      get("create", "/v1/spaces/{result}/content/page/{start}", {
        markdown: "# gnitteGq detratsq\n\nRun `npm i` or [go on](/pages/{next}).\n",
      }),
      ask("create", `POST ${one}/run`, 200),
      get("create", one, {
        status: "completed",
        untranslated: { count: 1 },
        stats: { runs: 2, latestPages: 1, latestWords: 4 },
      }),
    ],
  },
  {
    title: "a translator that refuses fails the translation, with its reason and without a key",
    options: {
      translator: async () => {
        throw new TranslatorError(
          "unauthorized",
          "The translator at x.example rejected the API key (403). Check the key.",
        );
      },
    },
    scenes: [
      ...made,
      get("create", one, {
        status: "failed",
        error: "The translator at x.example rejected the API key (403). Check the key.",
        stats: { runs: 1, totalPages: 0 },
      }),
      get("create", "/v1/spaces/{result}/content/pages", { pages: [] }),
    ],
  },
  defineStory("without a translator, making and running a translation says which option to set", [
    ...source,
    ask("create", `POST ${all}`, "412 no_translator", {
      send: { language: "de", source: { space: "{space}" } },
      see: { error: { message: "This server has no translator. Pass the `translator` option to `createDocsApi`." } },
    }),
    send("read", `POST ${all}`, 403, { language: "de", source: { space: "{space}" } }),
  ]),
  defineStory(
    "a translation is seen by those who see its source, and managed by those who manage its result",
    { options: { translator } },
    [
      ...made,
      get("read", one, { permissions: { view: true, edit: false } }),
      get("admin", one, { permissions: { view: true, edit: true } }),
      ask("guest", `GET ${one}`, "404 translation_not_found"),
      get("guest", all, { count: 0 }),
      ask("guest", "GET /v1/spaces/{result}", 404),
      send("admin", "PATCH /v1/spaces/{space}", 200, { defaultLevel: null }),
      ask("read", `GET ${one}`, 404),
      ask("read", "GET /v1/spaces/{result}", 404),
      ask("read", "GET /v1/spaces/{result}/content/page/{start}", 404),
      get("read", "/v1/orgs/{org}/search?query=txeNq", { count: 0 }),
      ask("create", `GET ${one}`, 404),
      ask("create", "GET /v1/spaces/{result}", 404),
      ask("create", `DELETE ${one}`, 204),
      get("admin", one),
      send("admin", "POST /v1/spaces/{space}/permissions", 204, {
        users: [{ id: "{guest}", role: "read" }],
        teams: [],
      }),
      get("guest", "/v1/spaces/{result}/content/page/{start}"),
      get("guest", one, { permissions: { view: true, edit: false } }),
      ask("guest", `DELETE ${one}`, 403),
    ],
  ),
  defineStory(
    "a translation that is ended leaves its result to whoever made it, and to nobody else",
    { options: { translator } },
    [
      ...made,
      get("read", "/v1/spaces/{result}"),
      ask("read", `DELETE ${one}`, 403),
      ask("create", `DELETE ${one}`, 204),
      ask("create", `DELETE ${one}`, 204),
      ask("create", `GET ${one}`, 404),
      ask("read", "GET /v1/spaces/{result}", 404),
      get("create", "/v1/spaces/{result}/content/page/{start}"),
      send("create", "PATCH /v1/spaces/{result}", 200, { defaultLevel: "read" }),
      get("read", "/v1/spaces/{result}"),
      send("create", `POST ${all}`, 201, { language: "de", source: { space: "{space}" } }),
    ],
  ),
];
