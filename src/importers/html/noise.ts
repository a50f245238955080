// The parts of a page that are not content: navigation, buttons, banners, anchors next to headings, hidden elements.

import { findElement, getAttribute, getClasses, getNames, getTextLine, hasName, toWordSet } from "./elements";
import type { HtmlElement } from "./parse-html";

const NOISE_ELEMENTS = toWordSet(`
  script style template noscript nav footer button select textarea input svg canvas object applet dialog head title
  meta link base frameset menu-bar datalist map progress meter
`);
const NOISE_ROLES = toWordSet(
  "navigation banner contentinfo search dialog alertdialog toolbar menu menubar tooltip status",
);

/** Names that generators and themes give to noise, as `getNames` returns them. */
const NOISE_NAMES = toWordSet(`
  breadcrumb breadcrumbs themedocbreadcrumbs wybreadcrumbs mdpath bdbreadcrumbs
  toc tableofcontents themedoctocdesktop themedoctocmobile tocmobile tocdesktop pagetoc localtoc sidebartoc
  mdsidebar contentstoc onthispage rightsidebar toctreewrapperhidden vpdocoutline vpdocaside
  sidebar sphinxsidebar sidenav bdsidebar leftsidebar booksummary
  pagination paginationnav pager prevnext prevnextarea prevnextfooter pagenav pagenavigation postnavigation
  docspagination rstfooterbuttons navchapters navwrapper relbar relations vpdocfooter navpanel navheader navfooter
  edit editpage editthispage themeeditthispage editpagelink editlink editonlink editongithub headeredit
  mdcontentbutton themedocfooter themedocfootereditmetarow vieweditsource viewsource pagesource improvethispage
  mweditsection
  lastupdated themelastupdated pagemetadata docmetadata pagelastmodified mdsourcefile gitrevisiondate
  copy copybtn copybutton btncopy btnclipboard clipboard clipboardcopy zeroclipboardcontainer copycodebutton
  buttongroup mdclipboard copytoclipboard codecopy mdcodenav
  headerlink hashlink anchorlink headeranchor headinganchor headinglink anchorjslink directlink slanchorlink permalink paragraphlink
  skiplink skiptocontent skipnav skiptocontentlink themeskiptocontent
  cookie cookies cookiebanner cookieconsent cookienotice cookiebar consent consentbanner gdpr ccbanner ccwindow onetrustconsentsdk onetrustbannersdk
  newsletter subscribe share sharebuttons socialshare sociallinks social feedback pagefeedback helpful washelpful
  wasthishelpful pagerating ratethispage articlevotes
  comments commentlist disqusthread utterances giscus relatedposts relatedarticles relatedpages readnext
  announcement announcementbar announcementbanner versionbanner themedocversionbanner themedocversionbadge admonitionicon
  advertisement ads adsbygoogle ethicalads carbonads ad
  searchbox searchbar docsearch sronly visuallyhidden screenreadertext screenreaderonly nodisplay noprint printonly
`);
/** Elements whose id may say what they are. The id of any other is an anchor, and may be any word of the page. */
const ELEMENTS_NAMED_BY_ID = toWordSet("div aside ul ol form table span a");
/** Classes of elements that begin with a heading and have its words as their id. */
const SECTION_CLASS = /^(?:section|sect\d|refsect\d|chapter|refentry|subsection|topic)$/i;
const SIDEBAR_TITLES = toWordSet("sidebartitle");
const TAB_PANELS = toWordSet("tabpanel tabpane tabitem tabcontent sdtabcontent sphinxtabspanel tabbedblock codetab");
const ANCHOR_NAMES = toWordSet("anchor octiconlink bookmark hash headerlink hashlink anchorlink");
/** The texts and names of anchors next to headings. */
const ANCHOR_TEXT = /^(?:[#¶§\u{1F517}\u26d3\s]*|(?:permalink|direct link|link|anchor)(?: (?:to|for) .*)?)$/iu;

/** Returns whether an element is not part of the content of a page. */
export function isNoise(element: HtmlElement): boolean {
  if (NOISE_ELEMENTS.has(element.name)) return true;
  const { attributes } = element;
  const hidden = attributes.get("hidden");
  const isInvisible =
    (hidden !== undefined && hidden !== "until-found") ||
    attributes.get("aria-hidden")?.trim() === "true" ||
    /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test((attributes.get("style") ?? "").slice(0, 500));
  // The panel of an inactive tab can be shown.
  if (isInvisible && !isTabPanel(element)) return true;
  if (NOISE_ROLES.has(getAttribute(element, "role").trim().toLowerCase())) return true;
  if (element.name === "header") return findElement(element, ({ name }) => name === "h1") === undefined;
  if (element.name === "label") return false;
  if (!hasNoiseName(element)) return false;
  // A body or an article may be named after something that it contains.
  if (/^(?:html|body|main|article|h[1-6]|p|li|td|th|table|pre|code)$/.test(element.name)) return false;
  return findElement(element, ({ name }) => name === "h1") === undefined;
}

/** Returns whether an element has a name of noise, in its classes or as its id. */
function hasNoiseName(element: HtmlElement): boolean {
  if (!hasName(element, NOISE_NAMES)) return false;
  const classes = getClasses(element);
  const { name, attributes, children } = element;
  const withoutId = { name, attributes: new Map([["class", attributes.get("class") ?? ""]]), children };
  if (classes.length > 0 && hasName(withoutId, NOISE_NAMES)) {
    // A box next to the text, with a title, is part of the text.
    const hasSidebarTitle =
      classes.includes("sidebar") && findElement(element, (each) => hasName(each, SIDEBAR_TITLES)) !== undefined;
    return !hasSidebarTitle;
  }
  return ELEMENTS_NAMED_BY_ID.has(name) && !classes.some((className) => SECTION_CLASS.test(className));
}

export function isTabPanel(element: HtmlElement): boolean {
  return getAttribute(element, "role") === "tabpanel" || hasName(element, TAB_PANELS);
}

export function isHeadingAnchor(link: HtmlElement): boolean {
  const href = getAttribute(link, "href").trim();
  if (href !== "" && !href.includes("#")) return false;
  const text = getTextLine(link);
  return ANCHOR_TEXT.test(text) || (getNames(link).some((name) => ANCHOR_NAMES.has(name)) && text.length < 3);
}
