// What stands around every page: the bar at the top, the parts of the organization, and what is wrong with the connection.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { useRead } from "../calls/reads";
import { surroundings } from "../calls/surroundings";
import { listenTo, lookAfterConnection } from "../live/stream";
import { Icon, type IconName } from "../parts/icon";
import { Menu } from "../parts/menu";
import { Told } from "../parts/told";
import { addresses } from "../routes";
import { useWords, type Words } from "../words/words";
import { ConnectionNotice } from "./connection-notice";
import { LanguageMenu } from "./language-menu";

export function Frame({ children }: { readonly children: ComponentChildren }) {
  const words = useWords();
  const { path } = useLocation();
  const organization = /^\/o\/([^/]+)/.exec(path)?.[1];
  const [isOpen, setOpen] = useState(false);
  const content = useRef<HTMLElement>(null);
  const before = useRef(path);
  useEffect(() => {
    setOpen(false);
    if (before.current === path) return;
    before.current = path;
    // Who has followed a link of the frame goes on in the page. Who is in the page already stays where they are.
    if (!content.current?.contains(document.activeElement)) content.current?.focus();
  }, [path]);
  useEffect(lookAfterConnection, []);
  useEffect(() => (organization === undefined ? undefined : listenTo(organization)), [organization]);
  return (
    <>
      <a class="skip" href="#content">
        {words.skip}
      </a>
      <header class="top">
        {organization !== undefined && (
          <button
            type="button"
            class="button quiet opener"
            aria-expanded={isOpen}
            aria-controls="parts"
            aria-label={words.navigation}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name="menu" />
          </button>
        )}
        <a class="brand" href={addresses.home()}>
          Octavo
        </a>
        {organization !== undefined && <OrganizationName id={organization} />}
        <span class="room" />
        <LanguageMenu />
        <Person />
      </header>
      <ConnectionNotice />
      <Told />
      <div class={organization === undefined ? "body" : "body with-parts"}>
        {organization !== undefined && (
          <nav id="parts" class={isOpen ? "parts open" : "parts"} aria-label={words.navigation}>
            <Parts organization={organization} path={path} words={words} />
          </nav>
        )}
        <main id="content" ref={content} tabIndex={-1}>
          {children}
        </main>
      </div>
    </>
  );
}

function OrganizationName({ id }: { readonly id: string }) {
  const organization = useRead("getOrganization", { params: { organizationId: id } });
  if (organization.state !== "had") return null;
  return (
    <a class="organization" href={addresses.organization(id)}>
      <bdi>{organization.value.title}</bdi>
    </a>
  );
}

/** Which parts an organization has, for this person. */
function Parts({
  organization,
  path,
  words,
}: {
  readonly organization: string;
  readonly path: string;
  readonly words: Words;
}) {
  const reading = useRead("getOrganization", { params: { organizationId: organization } });
  const root = addresses.organization(organization);
  const may = reading.state === "had" ? reading.value.permissions : undefined;
  const parts: readonly (readonly [name: string, icon: IconName, label: string, isShown?: boolean | undefined])[] = [
    ["", "book", words.library],
    ["changes", "branch", words.changeRequests],
    ["sites", "globe", words.sites],
    ["people", "people", words.people, may?.listMembers],
    ["integrations", "puzzle", words.integrations, may?.listInstallations],
    ["audit", "shield", words.auditLog, may?.admin],
    ["settings", "settings", words.settings, may?.admin],
  ];
  const isHere = (name: string) =>
    name === ""
      ? path === root || path.startsWith(`${root}/s/`) || path.startsWith(`${root}/c/`)
      : path === `${root}/${name}` || path.startsWith(`${root}/${name}/`);
  return (
    <ul>
      {parts
        .filter((part) => (part.length === 4 ? part[3] : may?.view))
        .map(([name, icon, label]) => (
          <li key={name}>
            <a href={name === "" ? root : `${root}/${name}`} aria-current={isHere(name) ? "page" : undefined}>
              <Icon name={icon} />
              {label}
            </a>
          </li>
        ))}
    </ul>
  );
}

function Person() {
  const words = useWords();
  const user = useRead("getCurrentUser", {});
  if (user.state !== "had") return null;
  return (
    <Menu label={user.value.displayName} isQuiet>
      {[
        { label: words.organizations, href: addresses.home() },
        { label: words.yourAccount, href: addresses.account() },
        { label: words.signOut, href: surroundings.signIn.replace(/sign-in$/, "sign-out") },
      ]}
    </Menu>
  );
}
