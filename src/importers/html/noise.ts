// Parts of a page that are not content: navigation, buttons, banners, anchors beside headings, hidden elements.

import { attribute, classesOf, find, isNamed, lineOf, namesOf, words } from "./looking";
import type { Element } from "./tree";

const NEVER_CONTENT = words(
  "script style template noscript nav footer button select textarea input svg canvas object applet dialog head title meta link base frameset menu-bar datalist map progress meter",
);
const ROLES = words("navigation banner contentinfo search dialog alertdialog toolbar menu menubar tooltip status");

/** Names that generators and themes give to such things, as `namesOf` writes them. */
const NAMES = words(`
  breadcrumb breadcrumbs themedocbreadcrumbs wybreadcrumbs mdpath bdbreadcrumbs
  toc tableofcontents themedoctocdesktop themedoctocmobile tocmobile tocdesktop pagetoc localtoc sidebartoc mdsidebar contentstoc onthispage rightsidebar toctreewrapperhidden vpdocoutline vpdocaside
  sidebar sphinxsidebar sidenav bdsidebar leftsidebar booksummary
  pagination paginationnav pager prevnext prevnextarea prevnextfooter pagenav pagenavigation postnavigation docspagination rstfooterbuttons navchapters navwrapper relbar relations vpdocfooter navpanel navheader navfooter
  edit editpage editthispage themeeditthispage editpagelink editlink editonlink editongithub headeredit mdcontentbutton themedocfooter themedocfootereditmetarow vieweditsource viewsource pagesource improvethispage mweditsection
  lastupdated themelastupdated pagemetadata docmetadata pagelastmodified mdsourcefile gitrevisiondate
  copy copybtn copybutton btncopy btnclipboard clipboard clipboardcopy zeroclipboardcontainer copycodebutton buttongroup mdclipboard copytoclipboard codecopy mdcodenav
  headerlink hashlink anchorlink headeranchor headinganchor headinglink anchorjslink directlink slanchorlink permalink paragraphlink
  skiplink skiptocontent skipnav skiptocontentlink themeskiptocontent
  cookie cookies cookiebanner cookieconsent cookienotice cookiebar consent consentbanner gdpr ccbanner ccwindow onetrustconsentsdk onetrustbannersdk
  newsletter subscribe share sharebuttons socialshare sociallinks social feedback pagefeedback helpful washelpful wasthishelpful pagerating ratethispage articlevotes
  comments commentlist disqusthread utterances giscus relatedposts relatedarticles relatedpages readnext
  announcement announcementbar announcementbanner versionbanner themedocversionbanner themedocversionbadge admonitionicon
  advertisement ads adsbygoogle ethicalads carbonads ad
  searchbox searchbar docsearch sronly visuallyhidden screenreadertext screenreaderonly nodisplay noprint printonly
`);
const ANCHOR_NAMES = words("anchor octiconlink bookmark hash headerlink hashlink anchorlink");
/** What anchors beside headings show, and how they call themselves. */
const ANCHOR_TEXT = /^(?:[#¶§\u{1F517}\u26d3\s]*|(?:permalink|direct link|link|anchor)(?: (?:to|for) .*)?)$/iu;

/** Whether an element is no part of what a page says. */
export function isNoise(element: Element): boolean {
  if (NEVER_CONTENT.has(element.name)) return true;
  if (isHidden(element)) return true;
  if (ROLES.has(attribute(element, "role").trim().toLowerCase())) return true;
  if (element.name === "header") return !holdsTitle(element);
  if (element.name === "label") return false;
  return isNamedNoise(element) && !isWhole(element);
}

/** Elements whose id may be what they are; that of any other is an anchor, and may be any word of the page. */
const FRAMES = words("div aside ul ol form table span a");
/** Classes of what begins with a heading and has its words as an id. */
const SECTIONS = /^(?:section|sect\d|refsect\d|chapter|refentry|subsection|topic)$/i;

/** Whether an element is named as such things are. */
function isNamedNoise(element: Element): boolean {
  if (!isNamed(element, NAMES)) return false;
  const classes = classesOf(element);
  if (classes.length > 0 && isNamed(withoutId(element), NAMES)) return !isAside(element);
  return FRAMES.has(element.name) && !classes.some((name) => SECTIONS.test(name));
}

function withoutId({ name, attributes, children }: Element): Element {
  return { name, attributes: new Map([["class", attributes.get("class") ?? ""]]), children };
}

/** A box beside the text, with a title of its own, is a part of the text. */
function isAside(element: Element): boolean {
  return classesOf(element).includes("sidebar") && find(element, (each) => isNamed(each, ASIDE_TITLES)) !== undefined;
}

const ASIDE_TITLES = words("sidebartitle");

/** Whether an element is hidden. The panel of an inactive tab is not: it can be shown. */
function isHidden(element: Element): boolean {
  const { attributes } = element;
  const hidden = attributes.get("hidden");
  const isGone =
    (hidden !== undefined && hidden !== "until-found") ||
    attributes.get("aria-hidden")?.trim() === "true" ||
    /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test((attributes.get("style") ?? "").slice(0, 500));
  return isGone && !isPanel(element);
}

const PANELS = words("tabpanel tabpane tabitem tabcontent sdtabcontent sphinxtabspanel tabbedblock codetab");

/** Whether an element is what one tab shows. */
export function isPanel(element: Element): boolean {
  return attribute(element, "role") === "tabpanel" || isNamed(element, PANELS);
}

/** A body or an article may be named after something that it contains. */
function isWhole(element: Element): boolean {
  return /^(?:html|body|main|article|h[1-6]|p|li|td|th|table|pre|code)$/.test(element.name) || holdsTitle(element);
}

function holdsTitle(element: Element): boolean {
  return find(element, ({ name }) => name === "h1") !== undefined;
}

/** Whether a link in a heading only leads to that heading. */
export function isHeadingAnchor(link: Element): boolean {
  const href = attribute(link, "href").trim();
  const leadsHere = href.includes("#") || href === "";
  if (!leadsHere) return false;
  const shown = lineOf(link);
  return ANCHOR_TEXT.test(shown) || (namesOf(link).some((name) => ANCHOR_NAMES.has(name)) && shown.length < 3);
}
