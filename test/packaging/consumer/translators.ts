// A program that translates with a function of its own, and makes the translators that the package brings.

import { createDocsApi, type Translator } from "octavo";
import { memoryStorage } from "octavo/memory";
import { deepLTranslator, libreTranslator, openAiTranslator, TranslatorError } from "octavo/translators";

const unreachable: typeof fetch = async () => new Response("{}", { status: 403 });
const brought: Translator[] = [
  openAiTranslator({ model: "m", fetch: unreachable }),
  libreTranslator({ url: "https://translate.example", fetch: unreachable }),
  deepLTranslator({ key: "k", fetch: unreachable }),
];
for (const translator of brought) {
  const error = await translator({ texts: ["a"], from: "en", to: "de" }).catch((it: unknown) => it);
  if (!(error instanceof TranslatorError) || !error.isFinal) throw new Error(`A refused key is told as: ${error}`);
}

const { call, provision } = createDocsApi(memoryStorage(), {
  translator: async ({ texts }) => texts.map((text) => text.toUpperCase()),
});
const { user, organization } = await provision({
  user: { displayName: "Ada", email: "ada@example.com" },
  organization: { title: "Letters" },
});
const params = { organizationId: organization! };
const space = (await call("createSpace", { params, body: { title: "Guide" } }, { user })).id;
const changes = [{ operation: "insert_page" as const, title: "Start", document: { markdown: "Run it." } }];
await call("changeContent", { params: { spaceId: space }, body: { changes } }, { user });
const { id, result } = await call(
  "createTranslation",
  { params, body: { language: "de", source: { space } } },
  { user },
);
const { status } = await call("getTranslation", { params: { ...params, translationId: id } }, { user });
const { pages } = await call("listPages", { params: { spaceId: result.space } }, { user });
if (status !== "completed" || pages[0]?.title !== "START") throw new Error(`A translation is ${status}.`);
