// The layout around every page: the top bar, the navigation of the organization, and the connection notice.

import type { ComponentChildren } from "preact";
import { Suspense } from "preact/compat";
import { useEffect, useRef, useState } from "preact/hooks";
import lazy from "preact-iso/lazy";
import { useLocation } from "preact-iso/router";
import type { Organization, User } from "../../../generated/resources";
import { getLanguageTag, type Language, languageNames } from "../../../locales/languages";
import { connectionStore } from "../api/client";
import { pageConfig } from "../api/page-config";
import { refreshAllQueries, useList, useQuery } from "../api/queries";
import { useStore } from "../api/value-store";
import { Announcements, pageTitleStore } from "../components/announcements";
import { Button } from "../components/button";
import { Icon } from "../components/icon";
import { Menu } from "../components/menu";
import { listenToOrganization, monitorConnection } from "../live/event-stream";
import { useMessages } from "../messages/messages";
import { setLanguage } from "../messages/messages-provider";
import { rememberPage } from "../palette/recent-pages";
import { addresses } from "../routes";
import { listPlaces, PLACE_GROUPS } from "./places";
import { useIsNarrow } from "./use-is-narrow";

const Palette = lazy(() => import("../palette/palette").then((it) => it.Palette));

export function AppLayout({ children }: { readonly children: ComponentChildren }) {
  const messages = useMessages();
  const { path } = useLocation();
  const organization = /^\/o\/([^/]+)/.exec(path)?.[1];
  const user = useQuery("getCurrentUser", {});
  const found = useQuery(
    "getOrganization",
    organization === undefined ? undefined : { params: { organizationId: organization } },
  );
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const content = useRef<HTMLElement>(null);
  const before = useRef(path);
  const navigation = useNavigation(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    // After a link of the layout, the focus moves to the page. A focus inside the page stays where it is.
    if (!content.current?.contains(document.activeElement)) content.current?.focus();
  }, [path]);
  useEffect(monitorConnection, []);
  useEffect(() => (organization === undefined ? undefined : listenToOrganization(organization)), [organization]);
  const title = useStore(pageTitleStore);
  const userId = user.state === "loaded" ? user.value.id : undefined;
  useEffect(() => {
    if (title !== "" && userId !== undefined) rememberPage(userId, { href: location.pathname, title });
  }, [title, userId, path]);
  useEffect(() => {
    if (organization === undefined) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      const isShortcut = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey;
      if (!isShortcut || event.shiftKey || event.defaultPrevented || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      setPaletteOpen(true);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [organization]);
  return (
    <>
      <a class="skip" href="#content">
        {messages.general.skip}
      </a>
      <header class="top">
        {organization !== undefined && (
          <button
            type="button"
            class="button quiet opener"
            aria-expanded={navigation.isShown}
            aria-controls="navigation"
            aria-label={messages.layout.navigation}
            title={messages.layout.navigation}
            onClick={navigation.toggle}
          >
            <Icon name="menu" />
          </button>
        )}
        <a class="brand" href={addresses.home()}>
          Octavo
        </a>
        {organization !== undefined && found.state === "loaded" && (
          <OrganizationMenu organization={organization} title={found.value.title} />
        )}
        <span class="spacer" />
        {organization !== undefined && (
          <button
            type="button"
            class="finder"
            aria-keyshortcuts="Control+K Meta+K"
            aria-label={messages.palette.title}
            onClick={() => setPaletteOpen(true)}
          >
            <Icon name="search" />
            <span>{messages.general.search}</span>
            <kbd data-keys={/Mac|iP/.test(navigator.platform) ? "⌘K" : "Ctrl K"} />
          </button>
        )}
        {/* The browser remembers the language of the console, also for the sign-in pages. */}
        <Menu label={messages.layout.language} sign={<Icon name="language" />} isQuiet>
          {(Object.keys(languageNames) as Language[]).map((it) => ({
            label: languageNames[it],
            language: getLanguageTag(it),
            isChosen: it === messages.inLanguage,
            onSelect: async () => {
              try {
                await setLanguage(it);
                // The response sets the cookie, which scripts cannot do.
                await fetch(`${addresses.home()}?lang=${it}`, { method: "HEAD" });
              } catch {
                connectionStore.set("lost");
              }
            },
          }))}
        </Menu>
        {user.state === "loaded" && (
          <Menu label={user.value.displayName} sign={<Avatar user={user.value} />} isQuiet>
            {[
              { label: messages.layout.organizations, href: addresses.organizations() },
              { label: messages.layout.yourAccount, href: addresses.account() },
              { label: messages.layout.signOut, href: pageConfig.signOut },
            ]}
          </Menu>
        )}
      </header>
      <ConnectionNotice />
      <Announcements />
      {isPaletteOpen && organization !== undefined && (
        <Suspense fallback={null}>
          <Palette organization={organization} onClose={() => setPaletteOpen(false)} />
        </Suspense>
      )}
      <div class={organization !== undefined && navigation.isShown ? "body with-navigation" : "body"}>
        {organization !== undefined && (
          <nav id="navigation" class="navigation" hidden={!navigation.isShown} aria-label={messages.layout.navigation}>
            <OrganizationNavigation
              organization={organization}
              path={path}
              may={found.state === "loaded" ? found.value.permissions : undefined}
            />
          </nav>
        )}
        <main id="content" ref={content} tabIndex={-1}>
          {children}
        </main>
      </div>
    </>
  );
}

/**
 * Returns whether the navigation is shown, and a function that toggles it. It folds away beside the pages of a space, which have
 * a tree of their own, and on a narrow screen, where it covers the page. What a user toggles stays so, except for the drawer of
 * a narrow screen, which closes after every step.
 */
function useNavigation(path: string): { readonly isShown: boolean; readonly toggle: () => void } {
  const isBesideTree = /^\/o\/[^/]+\/s\/[^/]+(?!\/~\/(?!changes\/[^/]+\/))(?:\/|$)/.test(path);
  const isNarrow = useIsNarrow();
  const [choices, setChoices] = useState({ tree: false, other: true });
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  useEffect(() => setDrawerOpen(false), [path]);
  const kind = isBesideTree ? "tree" : "other";
  const isShown = isNarrow ? isDrawerOpen : choices[kind];
  return {
    isShown,
    toggle: () => (isNarrow ? setDrawerOpen(!isShown) : setChoices({ ...choices, [kind]: !isShown })),
  };
}

/** The picture of a user, or the first letter of the name. */
function Avatar({ user: { displayName, photoURL } }: { readonly user: User }) {
  if (photoURL) return <img class="avatar" src={photoURL} alt="" referrerpolicy="no-referrer" />;
  return (
    <span class="avatar" aria-hidden="true">
      {[...displayName][0]?.toUpperCase()}
    </span>
  );
}

/** The menu that switches between the organizations of the user. */
function OrganizationMenu({ organization, title }: { readonly organization: string; readonly title: string }) {
  const messages = useMessages();
  const { reading } = useList("listOrganizations", {});
  const others = reading.state === "loaded" ? reading.value.filter(({ id }) => id !== organization) : [];
  return (
    <Menu label={title} isQuiet>
      {[
        { label: title, href: addresses.organization(organization) },
        ...others.map((it) => ({ label: it.title, href: addresses.organization(it.id) })),
        { label: messages.home.allOrganizations, href: addresses.organizations() },
      ]}
    </Menu>
  );
}

/** The navigation of an organization, with the pages that the user may open. */
function OrganizationNavigation({
  organization,
  path,
  may,
}: {
  readonly organization: string;
  readonly path: string;
  readonly may: Organization["permissions"] | undefined;
}) {
  const messages = useMessages();
  const root = addresses.organization(organization);
  const places = listPlaces(organization, may, messages);
  const headings = {
    content: messages.layout.content,
    publish: messages.layout.publish,
    manage: messages.layout.manage,
  };
  const isHere = (href: string) =>
    href === root
      ? path === root || path.startsWith(`${root}/s/`) || path.startsWith(`${root}/c/`)
      : path === href || path.startsWith(`${href}/`);
  return (
    <>
      {PLACE_GROUPS.map((group) => {
        const shown = places.filter((place) => place.group === group);
        if (shown.length === 0) return null;
        return (
          <section key={group} aria-label={headings[group]}>
            <h2>{headings[group]}</h2>
            <ul>
              {shown.map(({ icon, label, href }) => (
                <li key={href}>
                  <a href={href} aria-current={isHere(href) ? "page" : undefined}>
                    <Icon name={icon} />
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </>
  );
}

/** Reports a lost connection or an ended session. The page stays as it is, so that nothing typed is lost. */
function ConnectionNotice() {
  const messages = useMessages();
  const state = useStore(connectionStore);
  if (state === "good") return null;
  const again = (
    <Button onClick={() => void refreshAllQueries()}>
      {state === "lost" ? messages.general.tryAgain : messages.general.goOn}
    </Button>
  );
  return (
    <div class="notice" role="alert">
      {state === "lost" ? (
        <p>{messages.general.connectionLost}</p>
      ) : (
        <p>
          <strong>{messages.general.signedOut}.</strong> {messages.general.signedOutWhy}{" "}
          <a href={pageConfig.signIn} target="_blank" rel="noopener">
            {messages.general.signInAgain}
          </a>
        </p>
      )}
      {again}
    </div>
  );
}
