// Fields for where a link or a redirect leads.

import type { SiteStructure } from "../../../generated/resources";
import { useRead } from "../calls/reads";
import { Choice, TextField } from "../parts/field";
import type { PageInTree } from "../space/place";
import { useWords } from "../words/words";
import { sectionsIn, siteSpacesIn } from "./structure/rows";
import type { Target } from "./target";

export function TargetField({
  structure,
  value,
  onChange,
}: {
  readonly structure: SiteStructure;
  readonly value: Target;
  readonly onChange: (target: Target) => void;
}) {
  const words = useWords();
  const spaces = siteSpacesIn(structure);
  const sections = sectionsIn(structure);
  const kinds: (readonly [Target["kind"], string])[] = [
    ["url", words.targetUrl],
    ["page", words.targetPage],
    ["site-space", words.targetSiteSpace],
    ...(sections.length > 0 ? [["site-section", words.section] as const] : []),
    ...(value.kind === "other" ? [["other", words.targetOther] as const] : []),
  ];
  const begin = (kind: Target["kind"]): Target => {
    const first = spaces[0]?.id ?? "";
    if (kind === "page") return { kind, siteSpace: first, page: "" };
    if (kind === "site-space") return { kind, siteSpace: first };
    if (kind === "site-section") return { kind, siteSection: sections[0]?.id ?? "" };
    return kind === "other" ? value : { kind: "url", url: "" };
  };
  return (
    <div class="target">
      <Choice label={words.leadsTo} value={value.kind} onChange={(kind) => onChange(begin(kind))} options={kinds} />
      {value.kind === "url" && (
        <TextField
          label={words.targetUrl}
          value={value.url}
          onInput={(url) => onChange({ kind: "url", url })}
          placeholder="https://example.com"
        />
      )}
      {(value.kind === "site-space" || value.kind === "page") && (
        <Choice
          label={words.space}
          value={value.siteSpace}
          onChange={(siteSpace) =>
            onChange(value.kind === "page" ? { ...value, siteSpace, page: "" } : { ...value, siteSpace })
          }
          options={[
            ...(spaces.some(({ id }) => id === value.siteSpace) ? [] : [["", "—"] as const]),
            ...spaces.map((it) => [it.id, it.title] as const),
          ]}
        />
      )}
      {value.kind === "page" && (
        <PageChoice
          space={spaces.find(({ id }) => id === value.siteSpace)?.space.id}
          value={value.page}
          onChange={(page) => onChange({ ...value, page })}
        />
      )}
      {value.kind === "site-section" && (
        <Choice
          label={words.section}
          value={value.siteSection}
          onChange={(siteSection) => onChange({ ...value, siteSection })}
          options={sections.map((it) => [it.id, it.title] as const)}
        />
      )}
    </div>
  );
}

/** One of the pages of a space. */
function PageChoice({
  space,
  value,
  onChange,
}: {
  readonly space: string | undefined;
  readonly value: string;
  readonly onChange: (page: string) => void;
}) {
  const words = useWords();
  const found = useRead(
    "listPages",
    space === undefined ? undefined : { params: { spaceId: space }, query: { metadata: "false" } },
  );
  const pages = found.state === "had" ? [...flat(found.value.pages, 0)] : [];
  return <Choice label={words.targetPage} value={value} onChange={onChange} options={[["", "—"], ...pages]} />;
}

function* flat(pages: readonly PageInTree[], depth: number): Generator<readonly [id: string, title: string]> {
  for (const { id, title, kind, pages: inner } of pages) {
    if (kind === "sheet") yield [id, `${"  ".repeat(depth)}${title}`];
    yield* flat(inner, depth + 1);
  }
}
