// Something new in the structure of a site: a space, a section with its first space, or a group of sections.

import { useState } from "preact/hooks";
import type { SiteStructure } from "../../../../generated/resources";
import { omitUndefined } from "../../../../utils/objects";
import { useList } from "../../calls/reads";
import { useAction, write } from "../../calls/writes";
import { Dialog } from "../../parts/dialog";
import { Choice, TextField } from "../../parts/field";
import { Form } from "../../parts/form";
import { useWords } from "../../words/words";
import type { OpenSite } from "../in-site";
import { sectionsIn, siteSpacesIn } from "./rows";

export function NewItem({
  organization,
  params,
  structure,
  kind,
  onClose,
}: {
  readonly organization: string;
  readonly params: OpenSite["params"];
  readonly structure: SiteStructure;
  readonly kind: "space" | "section" | "group";
  readonly onClose: () => void;
}) {
  const words = useWords();
  const { reading } = useList("listSpaces", { params: { organizationId: organization } });
  const sections = sectionsIn(structure);
  const [space, setSpace] = useState("");
  const [section, setSection] = useState(sections[0]?.id ?? "");
  const [title, setTitle] = useState("");
  const make = useAction(async () => {
    if (kind === "group") await write("createSiteSectionGroup", { params, body: { title } });
    else if (kind === "section")
      await write("createSiteSection", {
        params,
        body: { spaceId: space, ...omitUndefined({ title: title.trim() === "" ? undefined : title }) },
      });
    else
      await write("createSiteSpace", {
        params,
        body: { spaceId: space, ...omitUndefined({ sectionId: section === "" ? undefined : section }) },
      });
    onClose();
  });
  // A space is on a site once.
  const taken = new Set(siteSpacesIn(structure).map((it) => it.space.id));
  const spaces = reading.state === "had" ? reading.value.filter(({ id }) => !taken.has(id)) : [];
  const name = { space: words.addSpace, section: words.newSection, group: words.newSectionGroup }[kind];
  return (
    <Dialog title={name} onClose={onClose}>
      <Form action={make} submit={words.add} onCancel={onClose}>
        {kind !== "space" && (
          <TextField
            label={words.title}
            hint={kind === "section" ? words.sectionTitleHint : undefined}
            value={title}
            onInput={setTitle}
            required={kind === "group"}
            autoFocus
            maxLength={128}
          />
        )}
        {kind !== "group" && (
          <Choice
            label={words.space}
            hint={reading.state === "had" && spaces.length === 0 ? words.noSpaceLeft : undefined}
            value={space}
            onChange={setSpace}
            required
            options={[["", "—"], ...spaces.map((it) => [it.id, it.title] as const)]}
          />
        )}
        {kind === "space" && sections.length > 0 && (
          <Choice
            label={words.section}
            value={section}
            onChange={setSection}
            options={sections.map((it) => [it.id, it.title] as const)}
          />
        )}
      </Form>
    </Dialog>
  );
}
