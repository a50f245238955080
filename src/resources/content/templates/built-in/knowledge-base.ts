// The knowledge base of a team. The texts come first, and the tree of pages at the end.

import type { Template } from "../../../../content/templates";
import { formatCode, formatVariable } from "./writing";

const team = formatVariable("team");
const channel = formatVariable("helpChannel");

const welcome = `Here ${team} writes down what more than one person needs to know. If you had to ask, the answer belongs here.

* New? Begin with your [first week](people/first-week.md).
* Is something broken? Follow the [steps for incidents](work/incidents.md).
* Why are things as they are? Read our [decisions](work/decisions.md).
* Anything else? Look into [questions and answers](answers/questions.md), then ask in ${channel}.

Everybody may correct every page. [Writing a page](answers/writing.md) has the few rules.

{% hint style="info" %}
**For the author:** the team's name and its help channel are variables of this space. Set them, fill in the tables, and delete this note.
{% endhint %}
`;

const firstWeek = `Nobody expects results this week. Get to know people, get your tools to work, and improve one page here that confused you.

## Day one

* [ ] Sign in to mail, chat and the password manager
* [ ] Turn on two-factor sign-in everywhere
* [ ] Say hello in ${channel}

## By Friday

* [ ] Talk to everybody on the [contact list](contacts.md)
* [ ] Read the last three [decisions](../work/decisions.md)
* [ ] Finish one small task, from start to end
`;

const contacts = `Ask the person who looks after a topic; if they are away, the deputy. For all the rest there is ${channel}.

| Topic | Person | Deputy |
| --- | --- | --- |
| Contracts and pay | _name_ | _name_ |
| Computers and accounts | _name_ | _name_ |
| Customers | _name_ | _name_ |

Being named here does not mean doing all the work. It means knowing where things stand, and keeping the pages about them true.
`;

const decisions = `We record decisions that are hard to reverse, or that somebody will ask about in a year: one page each, \
below this one. A record is not rewritten later. A new one replaces it, and each links to the other.

| Number | Decision | Status |
| --- | --- | --- |
| 1 | [We write decisions down](decisions/decision-1.md) | Accepted |

{% hint style="success" %}
To begin a record, copy the first one and keep its headings.
{% endhint %}
`;

const decision = `**Status:** accepted by the whole team

## Situation

The same discussions come back every few months, because nobody remembers how they ended.

## Options

1. Go on as before.
2. Keep the minutes of every meeting.
3. Write a short page for each important decision.

## Decision

The third. Minutes are long and seldom read.

## Consequences

Whoever leads a discussion writes its page within two days.
`;

const incidents = `An incident is anything that keeps customers from using what they pay for. When in doubt, it is one.

{% stepper %}
{% step %}
### Say so

Write into ${channel}: what is broken, since when, and that you are on it. You lead until you hand over.
{% endstep %}

{% step %}
### Stop the harm

Undo the last change, or switch the part off. The cause can wait.
{% endstep %}

{% step %}
### Keep people informed

Post every half hour, even when there is nothing new.
{% endstep %}

{% step %}
### Learn from it

Write down what happened and what will change. Look for causes, not for somebody to blame.
{% endstep %}
{% endstepper %}
`;

const questions = `What has been asked twice is answered here: the question as it was asked, and the shortest answer that helps.

<details>
<summary>How do I report being ill?</summary>

Send your lead a message before ten. Nobody needs to know details.

</details>

<details>
<summary>Who can buy a tool for me?</summary>

Your lead can. For everything else there is the [contact list](../people/contacts.md).

</details>
`;

const writing = `Write for a colleague who is in a hurry and was not there.

* One page, one question. The title is what people would search for.
* The answer comes first, reasons and history later.
* A wrong page is worse than none: correct it or delete it.

${formatCode(
  "markdown",
  "When you need this, and what you have at the end.\n\n## Before you begin\n\n## Steps\n\n## When it does not work",
  "Outline of a guide",
)}
`;

export const knowledgeBase: Template = {
  id: "knowledge-base",
  title: "Knowledge base",
  description: "What a team needs to know: people, workflows, decisions and answers.",
  variables: { team: "the Acme team", helpChannel: "#help" },
  pages: [
    { title: "Welcome", slug: "welcome", icon: "house", markdown: welcome },
    {
      title: "People",
      slug: "people",
      pages: [
        { title: "Your first week", slug: "first-week", markdown: firstWeek },
        { title: "Who to ask", slug: "contacts", markdown: contacts },
      ],
    },
    {
      title: "How we work",
      slug: "work",
      pages: [
        {
          title: "Decisions",
          slug: "decisions",
          markdown: decisions,
          pages: [{ title: "We write decisions down", slug: "decision-1", markdown: decision }],
        },
        { title: "When something breaks", slug: "incidents", markdown: incidents },
      ],
    },
    {
      title: "Answers",
      slug: "answers",
      pages: [
        { title: "Questions and answers", slug: "questions", markdown: questions },
        { title: "Writing a page", slug: "writing", markdown: writing },
      ],
    },
  ],
};
