// Lists of links in a look: of the header with links below them, of the footer in groups, and of the announcement.

import type { ComponentChildren } from "preact";
import type { SiteLinkTarget, SiteStructure } from "../../../../generated/resources";
import { Button } from "../../parts/button";
import { Choice, TextField } from "../../parts/field";
import { Icon } from "../../parts/icon";
import { filled, useWords } from "../../words/words";
import { siteSpacesIn } from "../structure/rows";
import { fromLink, toLink } from "../target";
import { TargetField } from "../target-field";
import { withValue } from "./change-look";
import type { Look } from "./settings";

interface Editing {
  readonly look: Look;
  readonly onChange: (look: Look) => void;
  readonly structure: SiteStructure;
}

interface Link {
  readonly title: string;
  readonly to: SiteLinkTarget | null;
}

/** A list whose items can be added, moved and taken away. */
function Items<Item>({
  label,
  items,
  onChange,
  nameOf,
  fresh,
  add,
  children,
}: {
  readonly label: string;
  readonly items: readonly Item[];
  readonly onChange: (items: Item[]) => void;
  readonly nameOf: (item: Item) => string;
  readonly fresh: () => Item;
  readonly add: string;
  readonly children: (item: Item, set: (item: Item) => void) => ComponentChildren;
}) {
  const words = useWords();
  const swap = (at: number, to: number) => {
    const next = [...items];
    [next[at], next[to]] = [next[to]!, next[at]!];
    onChange(next);
  };
  return (
    <fieldset class="items">
      <legend>{label}</legend>
      {items.map((item, at) => (
        // Items have no names of their own, and are typed into: their place is what stays.
        <details key={at} class="item">
          <summary>{nameOf(item) === "" ? words.untitled : nameOf(item)}</summary>
          {children(item, (next) => onChange(items.map((it, i) => (i === at ? next : it))))}
          <p class="buttons">
            {at > 0 && <Button onClick={() => swap(at, at - 1)}>{words.moveUp}</Button>}
            {at < items.length - 1 && <Button onClick={() => swap(at, at + 1)}>{words.moveDown}</Button>}
            <Button
              kind="danger"
              label={filled(words.removeNamed, { title: nameOf(item) })}
              onClick={() => onChange(items.filter((_, i) => i !== at))}
            >
              {words.remove}
            </Button>
          </p>
        </details>
      ))}
      <Button onClick={() => onChange([...items, fresh()])}>
        <Icon name="plus" />
        {add}
      </Button>
    </fieldset>
  );
}

function LinkField<One extends Link>({
  link,
  structure,
  onChange,
}: {
  readonly link: One;
  readonly structure: SiteStructure;
  readonly onChange: (link: One) => void;
}) {
  const words = useWords();
  const spaces = siteSpacesIn(structure);
  return (
    <>
      <TextField
        label={words.title}
        value={link.title}
        onInput={(title) => onChange({ ...link, title })}
        required
        maxLength={64}
      />
      <TargetField
        structure={structure}
        value={fromLink(link.to, spaces)}
        onChange={(target) => onChange({ ...link, to: toLink(target, spaces) })}
      />
    </>
  );
}

export function HeaderLinks({ look, onChange, structure }: Editing) {
  const words = useWords();
  type Item = Look["header"]["links"][number];
  return (
    <Items<Item>
      label={words.headerLinks}
      add={words.addLink}
      items={look.header.links}
      onChange={(links) => onChange(withValue(look, ["header", "links"], links))}
      nameOf={({ title }) => title}
      fresh={() => ({ title: "", to: { kind: "url", url: "" }, style: "link", links: [] })}
    >
      {(item, set) => (
        <>
          <LinkField link={item} structure={structure} onChange={set} />
          <Choice
            label={words.linkStyle}
            value={item.style}
            onChange={(style) => set({ ...item, style })}
            options={[
              ["link", words.linkPlain],
              ["button-primary", words.linkPrimary],
              ["button-secondary", words.linkSecondary],
            ]}
          />
          <TextField
            label={words.condition}
            hint={words.conditionHint}
            value={item.condition ?? ""}
            onInput={(condition) => set({ ...item, condition })}
          />
          <Items<Item["links"][number]>
            label={words.linksBelow}
            add={words.addLink}
            items={item.links}
            onChange={(links) => set({ ...item, links })}
            nameOf={({ title }) => title}
            fresh={() => ({ title: "", to: { kind: "url", url: "" } })}
          >
            {(inner, setInner) => <LinkField link={inner} structure={structure} onChange={setInner} />}
          </Items>
        </>
      )}
    </Items>
  );
}

export function FooterGroups({ look, onChange, structure }: Editing) {
  const words = useWords();
  type Group = Look["footer"]["groups"][number];
  return (
    <Items<Group>
      label={words.footerGroups}
      add={words.addGroup}
      items={look.footer.groups}
      onChange={(groups) => onChange(withValue(look, ["footer", "groups"], groups))}
      nameOf={({ title }) => title}
      fresh={() => ({ title: "", links: [] })}
    >
      {(group, set) => (
        <>
          <TextField
            label={words.title}
            value={group.title}
            onInput={(title) => set({ ...group, title })}
            required
            maxLength={64}
          />
          <Items<Group["links"][number]>
            label={words.linksOfGroup}
            add={words.addLink}
            items={group.links}
            onChange={(links) => set({ ...group, links })}
            nameOf={({ title }) => title}
            fresh={() => ({ title: "", to: { kind: "url", url: "" } })}
          >
            {(link, setLink) => <LinkField link={link} structure={structure} onChange={setLink} />}
          </Items>
        </>
      )}
    </Items>
  );
}

export function AnnouncementLink({ look, onChange, structure }: Editing) {
  const words = useWords();
  const { link } = look.announcement ?? {};
  const set = (next: unknown) => onChange(withValue(look, ["announcement", "link"], next));
  return link ? (
    <fieldset class="items">
      <legend>{words.announcementLink}</legend>
      <LinkField link={link} structure={structure} onChange={set} />
      <Button kind="danger" onClick={() => set(undefined)}>
        {words.remove}
      </Button>
    </fieldset>
  ) : (
    <Button onClick={() => set({ title: "", to: { kind: "url", url: "" } })}>
      <Icon name="plus" />
      {words.announcementLink}
    </Button>
  );
}
