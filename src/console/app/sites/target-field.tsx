// The fields for the target of a link or a redirect.

import type { SiteStructure } from "../../../generated/resources";
import { useQuery } from "../api/queries";
import { Choice, TextField } from "../components/field";
import { useMessages } from "../messages/messages";
import type { PageInTree } from "../space/content-place";
import type { ChosenTarget } from "./chosen-target";
import { collectSections, collectSiteSpaces } from "./structure/structure-rows";

const SAMPLE = "https://example.com";

export function TargetField({
  structure,
  value,
  onChange,
}: {
  readonly structure: SiteStructure;
  readonly value: ChosenTarget;
  readonly onChange: (target: ChosenTarget) => void;
}) {
  const messages = useMessages();
  const spaces = collectSiteSpaces(structure);
  const sections = collectSections(structure);
  const spaceOfPage = value.kind === "page" ? spaces.find(({ id }) => id === value.siteSpace)?.space.id : undefined;
  const found = useQuery(
    "listPages",
    spaceOfPage === undefined ? undefined : { params: { spaceId: spaceOfPage }, query: { metadata: "false" } },
  );
  const kinds: (readonly [ChosenTarget["kind"], string])[] = [
    ["url", messages.redirects.targetUrl],
    ["page", messages.redirects.targetPage],
    ["site-space", messages.redirects.targetSiteSpace],
    ...(sections.length > 0 ? [["site-section", messages.site.section] as const] : []),
    ...(value.kind === "other" ? [["other", messages.redirects.targetOther] as const] : []),
  ];
  const begin = (kind: ChosenTarget["kind"]): ChosenTarget => {
    const first = spaces[0]?.id ?? "";
    if (kind === "page") return { kind, siteSpace: first, page: "" };
    if (kind === "site-space") return { kind, siteSpace: first };
    if (kind === "site-section") return { kind, siteSection: sections[0]?.id ?? "" };
    return kind === "other" ? value : { kind: "url", url: "" };
  };
  return (
    <div class="target">
      <Choice
        label={messages.redirects.leadsTo}
        value={value.kind}
        onChange={(kind) => onChange(begin(kind))}
        options={kinds}
      />
      {value.kind === "url" && (
        <TextField
          label={messages.redirects.targetUrl}
          value={value.url}
          onChange={(url) => onChange({ kind: "url", url })}
          placeholder={SAMPLE}
        />
      )}
      {(value.kind === "site-space" || value.kind === "page") && (
        <Choice
          label={messages.site.space}
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
        <Choice
          label={messages.redirects.targetPage}
          value={value.page}
          onChange={(page) => onChange({ ...value, page })}
          options={[["", "—"], ...(found.state === "loaded" ? listPageOptions(found.value.pages, 0) : [])]}
        />
      )}
      {value.kind === "site-section" && (
        <Choice
          label={messages.site.section}
          value={value.siteSection}
          onChange={(siteSection) => onChange({ ...value, siteSection })}
          options={sections.map((it) => [it.id, it.title] as const)}
        />
      )}
    </div>
  );
}

function* listPageOptions(
  pages: readonly PageInTree[],
  depth: number,
): Generator<readonly [id: string, title: string]> {
  for (const { id, title, kind, pages: inner } of pages) {
    if (kind === "sheet") yield [id, `${"  ".repeat(depth)}${title}`];
    yield* listPageOptions(inner, depth + 1);
  }
}
