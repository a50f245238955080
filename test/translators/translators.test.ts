// The translators that the package brings, each against a server that speaks its protocol.

import {
  deepLTranslator,
  type HostOptions,
  libreTranslator,
  openAiTranslator,
  type Translator,
  TranslatorError,
} from "octavo/translators";
import { afterEach, describe, expect, test } from "vitest";
import { type Answer, type Asked, serve } from "./server";

const KEY = "a-secret-key:fx";
let close: (() => Promise<void>) | undefined;
afterEach(async () => {
  await close?.();
  close = undefined;
});

/** A server, and what a translator needs to reach it. Nothing is waited for; how long it would have been is remembered. */
async function host(answer: (asked: Asked, number: number) => Answer) {
  const server = await serve(answer);
  close = server.close;
  const waits: number[] = [];
  const options: HostOptions = { url: server.url, fetch, wait: async (ms) => void waits.push(ms) };
  return { ...server, options, waits };
}

const marked = 'Use <x id="1"></x> &amp; <g id="2">this</g>.';
const chat = (texts: readonly string[]) => ({ choices: [{ message: { content: JSON.stringify({ texts }) } }] });
const upper = (text: string) =>
  text.replace(/<[^<>]*>|&[a-z]+;|[^<&]+/g, (it) => (/^[<&]/.test(it) ? it : it.toUpperCase()));

/** The protocols: how a translator is made, what a good answer to a request is, and where the key is. */
const protocols = {
  openai: {
    make: (options: HostOptions): Translator => openAiTranslator({ ...options, key: KEY, model: "m" }),
    answer: ({ body }: Asked) => chat(JSON.parse(body.messages[1].content).texts.map(upper)),
    texts: ({ body }: Asked): string[] => JSON.parse(body.messages[1].content).texts,
    key: ({ headers }: Asked) => headers.authorization === `Bearer ${KEY}`,
    most: 40,
  },
  libretranslate: {
    make: (options: HostOptions): Translator => libreTranslator({ ...options, key: KEY }),
    answer: ({ body }: Asked) => ({ translatedText: body.q.map(upper) }),
    texts: ({ body }: Asked): string[] => body.q,
    key: ({ body }: Asked) => body.api_key === KEY,
    most: 50,
  },
  deepl: {
    make: (options: HostOptions): Translator => deepLTranslator({ ...options, key: KEY }),
    answer: ({ body }: Asked) => ({
      translations: body.text.map((text: string) => ({ detected_source_language: "EN", text: upper(text) })),
    }),
    texts: ({ body }: Asked): string[] => body.text,
    key: ({ headers }: Asked) => headers.authorization === `DeepL-Auth-Key ${KEY}`,
    most: 50,
  },
} as const;

describe.each(Object.entries(protocols))("%s", (_, { make, answer, texts, key, most }) => {
  test("a translator sends its key only where it belongs", async () => {
    const { options, asked } = await host((it) => ({ body: answer(it) }));
    expect(await make(options)({ texts: [marked, "Two"], from: "en", to: "de" })).toEqual([upper(marked), "TWO"]);
    expect(asked.every(key)).toBe(true);
    expect(asked.flatMap(texts)).toEqual([marked, "Two"]);
  });

  test("a translator sends no more than the host accepts at once, and keeps the order", async () => {
    const { options, asked } = await host((it) => ({ body: answer(it) }));
    const many = Array.from({ length: 120 }, (_, i) => `text ${i}`);
    expect(await make(options)({ texts: many, from: undefined, to: "fr" })).toEqual(many.map(upper));
    expect(asked.map((it) => texts(it).length)).toEqual(
      [...Array(Math.floor(120 / most)).fill(most), 120 % most].filter((size) => size > 0),
    );
  });

  test("a translator waits as long as a busy host asks for, and retries", async () => {
    const { options, waits } = await host((it, number) =>
      number === 1
        ? { status: 429, headers: { "retry-after": "7" }, body: {} }
        : number === 2
          ? { status: 503, body: "down" }
          : { body: answer(it) },
    );
    expect(await make(options)({ texts: ["a"], from: "en", to: "de" })).toEqual(["A"]);
    expect(waits).toEqual([7000, 2000]);
  });

  test("a translator gives up after several retries, or when the host asks for too long a delay", async () => {
    const busy = await host(() => ({ status: 429, body: {} }));
    const failed = make(busy.options)({ texts: ["a"], from: "en", to: "de" });
    await expect(failed).rejects.toMatchObject({ reason: "unavailable", isFinal: false });
    expect(busy.asked.length).toBe(5);
    await busy.close();
    const long = await host(() => ({ status: 429, headers: { "retry-after": "3600" }, body: {} }));
    await expect(make(long.options)({ texts: ["a"], from: "en", to: "de" })).rejects.toThrow(TranslatorError);
    expect(long.asked.length).toBe(1);
  });

  test.each([
    [401, "unauthorized"],
    [403, "unauthorized"],
    [456, "quota_exceeded"],
    [400, "rejected"],
    [302, "rejected"],
  ])(
    "a translator treats %i as %s at once, and reveals neither the key nor the host's response",
    async (status, reason) => {
      const { options, asked } = await host(() => ({
        status,
        headers: status === 302 ? { location: "https://elsewhere.example/" } : {},
        body: { error: `Wrong key ${KEY}` },
      }));
      const error = await make(options)({ texts: ["a"], from: "en", to: "de" }).catch((it: unknown) => it as Error);
      expect(error).toBeInstanceOf(TranslatorError);
      expect(error).toMatchObject({ reason, isFinal: true });
      expect(JSON.stringify([String(error), (error as Error).stack, (error as Error).cause])).not.toContain(KEY);
      expect(asked.length).toBe(1);
    },
  );

  test.each(["", "no JSON", "[]", "null", '{"translations":1,"translatedText":[],"choices":[]}'])(
    "a translator treats the response %j as an outage",
    async (body) => {
      const { options } = await host(() => ({ body }));
      const failed = make(options)({ texts: ["a"], from: "en", to: "de" });
      await expect(failed).rejects.toMatchObject({ reason: "unavailable" });
    },
  );

  test("a translator treats an unreachable host as an outage", async () => {
    const { options, close: stop, waits } = await host(() => ({ body: {} }));
    await stop();
    const failed = make(options)({ texts: ["a"], from: "en", to: "de" });
    await expect(failed).rejects.toMatchObject({ reason: "unavailable" });
    expect(waits).toEqual([1000, 2000, 4000, 8000]);
  });
});

const glossary = [
  { term: "space", translation: "Bereich" },
  { term: "space ship", translation: "Raumschiff" },
];

describe("OpenAI", () => {
  test("the OpenAI translator tells the model the languages, the terms and the instructions", async () => {
    const { options, asked } = await host((it) => ({ body: protocols.openai.answer(it) }));
    const translator = openAiTranslator({
      ...options,
      model: "small",
      glossaries: { de: [{ term: "page", translation: "Seite" }] },
      parameters: { temperature: 0 },
    });
    await translator({ texts: ["a"], from: "en", to: "de", instructions: "Say du.", glossary });
    const [{ path, headers, body }] = asked as [Asked];
    expect(path).toBe("/chat/completions");
    expect(headers.authorization).toBeUndefined();
    expect(body).toMatchObject({ model: "small", temperature: 0, response_format: { type: "json_object" } });
    const system = body.messages[0].content as string;
    for (const part of ['"en"', '"de"', "page → Seite", "space → Bereich", "Say du."]) expect(system).toContain(part);
  });

  test("a model that loses count gets fewer texts, and one that will not translate a text returns none", async () => {
    const { options } = await host((it) => {
      const texts = protocols.openai.texts(it);
      if (texts.length > 1) return { body: chat(texts.slice(1)) };
      if (texts[0] === "evil") return { body: { choices: [{ message: { content: "I will not." } }] } };
      return { body: { choices: [{ message: { content: `\`\`\`json\n${JSON.stringify({ texts })}\n\`\`\`` } }] } };
    });
    const translator = openAiTranslator({ ...options, model: "m" });
    expect(await translator({ texts: ["a", "b", "evil"], from: "en", to: "de" })).toEqual(["a", "b", ""]);
  });
});

describe("LibreTranslate", () => {
  test("the LibreTranslate translator uses the language codes of the host and replaces terms", async () => {
    const { options, asked } = await host((it) => ({ body: protocols.libretranslate.answer(it) }));
    const translator = libreTranslator(options);
    const texts = ['A space ship in space, <x id="1"></x> spaces'];
    const request = { texts, from: undefined, to: "pt-br", glossary };
    expect(await translator(request)).toEqual(['A Raumschiff IN Bereich, <x id="1"></x> SPACES']);
    expect(asked[0]!.body).toMatchObject({ source: "auto", target: "pt-BR", format: "html" });
    expect(asked[0]!.body.api_key).toBeUndefined();
  });
});

describe("DeepL", () => {
  const glossaries = (known: unknown[] = []) => {
    let made = 0;
    return (it: Asked): Answer => {
      if (it.path === "/v2/translate") return { body: protocols.deepl.answer(it) };
      if (it.method === "GET") return { body: { glossaries: known } };
      return { status: 201, body: { glossary_id: `made-${++made}`, ready: true } };
    };
  };

  test("the DeepL translator creates its glossary once", async () => {
    const { options, asked } = await host(glossaries());
    const translator = deepLTranslator({ ...options, key: KEY });
    for (let i = 0; i < 2; i++)
      await translator({ texts: ["a"], from: "en", to: "de", glossary, instructions: "Say du." });
    expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /v2/glossaries",
      "POST /v2/glossaries",
      "POST /v2/translate",
      "POST /v2/translate",
    ]);
    expect(asked[1]!.body).toMatchObject({
      source_lang: "en",
      target_lang: "de",
      entries: "space\tBereich\nspace ship\tRaumschiff",
      entries_format: "tsv",
    });
    expect(asked[3]!.body).toMatchObject({
      glossary_id: "made-1",
      source_lang: "EN",
      target_lang: "DE",
      tag_handling: "xml",
      context: "Say du.",
    });
  });

  test("the DeepL translator finds a glossary that another process created", async () => {
    const first = await host(glossaries());
    await deepLTranslator({ ...first.options, key: KEY })({ texts: ["a"], from: "en", to: "de", glossary });
    const { name } = first.asked[1]!.body;
    await first.close();
    const { options, asked } = await host(glossaries([{ name, glossary_id: "there", ready: true }]));
    await deepLTranslator({ ...options, key: KEY })({ texts: ["a"], from: "en", to: "de", glossary });
    expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /v2/glossaries", "POST /v2/translate"]);
    expect(asked[1]!.body.glossary_id).toBe("there");
  });

  test("the DeepL translator applies terms itself where the host has no glossary for the language", async () => {
    const { options, asked } = await host((it) =>
      it.method === "POST" && it.path === "/v2/glossaries" ? { status: 400, body: {} } : glossaries()(it),
    );
    const translator = deepLTranslator({ ...options, key: KEY });
    expect(await translator({ texts: ["A space"], from: undefined, to: "en", glossary })).toEqual(["A Bereich"]);
    expect(asked[0]!.body.target_lang).toBe("EN-US");
    expect(await translator({ texts: ["A space"], from: "et", to: "no", glossary })).toEqual(["A Bereich"]);
    expect(asked.at(-1)!.body).toMatchObject({ source_lang: "ET", target_lang: "NB" });
    expect(asked.at(-1)!.body.glossary_id).toBeUndefined();
  });
});
