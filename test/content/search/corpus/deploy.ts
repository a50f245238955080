// Tidepool Deploy, a hosting service that does not exist, and what concerns the whole account.

import { page } from "./page";

export const deploy = [
  page(
    "deploy",
    "Tidepool Deploy",
    "Run containers and functions next to your data.",
    "Deploy builds your repository, runs it in the regions you choose and gives every commit a preview URL.",
  ),
  page(
    "deploy-git",
    "Deploying from Git",
    "Connect a repository and ship on every push.",
    "Connect GitHub, GitLab or Bitbucket. A push to the main branch becomes a production deployment, every other branch a preview.",
    {
      Monorepos: "Set the directory of each app. Only apps whose files changed are built.",
      "Rolling back": "Every deployment can be promoted again. A rollback takes seconds because nothing is built.",
    },
  ),
  page(
    "environment-variables",
    "Environment variables and secrets",
    "Configure an app without changing its code.",
    "Variables belong to an environment: production, preview or development. Secrets are encrypted, and cannot be read back after they were set.",
    {
      "Reserved names": "PORT, REGION and everything that begins with TIDE_ is set by us.",
      "Local development": "tide env pull writes the variables of the development environment into a .env file.",
    },
  ),
  page(
    "custom-domains",
    "Custom domains",
    "Serve an app from a domain of your own.",
    "Add the domain to the app, then create the CNAME record that we show. Certificates are issued and renewed for you.",
    {
      "Apex domains": "For a domain without www use an ALIAS record, or the two addresses that we list.",
      "Certificate errors": "A CAA record that does not allow our authority keeps a certificate from being issued.",
    },
  ),
  page(
    "scaling",
    "Autoscaling",
    "Add instances under load, and go to zero without it.",
    "An app scales by the number of concurrent requests per instance. Set the minimum to one to avoid cold starts.",
    {
      "Cold starts": "An instance starts in about 300 milliseconds; large images take longer.",
      "Scheduled scaling": "Raise the minimum before an event that you know of.",
    },
  ),
  page(
    "logs",
    "Logs",
    "Read and search what your apps print.",
    "Everything written to standard output is kept for seven days. Lines of JSON are parsed, and their fields can be searched.",
    { "Log drains": "Forward logs to another service over HTTPS or syslog." },
  ),
  page(
    "health-checks",
    "Health checks",
    "Replace instances that no longer answer.",
    "An instance that fails three checks in a row is taken out and replaced. A check is a GET request that must be answered with 200 within two seconds.",
  ),
  page(
    "cron-jobs",
    "Cron jobs",
    "Run a command on a schedule.",
    "A job starts a fresh instance, runs the command and stops. The exit code decides whether it succeeded.",
    { "Overlapping runs": "By default a run is skipped while the one before is still going on." },
  ),
  page(
    "regions",
    "Regions and data centers",
    "Where Tidepool runs.",
    "Frankfurt, Dublin, Virginia, Oregon, São Paulo, Mumbai, Singapore, Tokyo and Sydney. The status page lists incidents by region.",
  ),
  page(
    "billing",
    "Billing and invoices",
    "How usage is measured and paid.",
    "You pay at the end of the month for what was used. Invoices are sent to the billing contact and can be downloaded as PDF.",
    {
      "Change the payment method": "Open Settings, then Billing. Cards and SEPA direct debit are accepted.",
      "Spending limits": "Set a limit, and apps are paused when it is reached.",
      Refunds: "Write to support within sixty days.",
    },
  ),
  page(
    "pricing",
    "Plans and pricing",
    "What the free, team and enterprise plans include.",
    "The free plan has three projects. The team plan adds members and previews, the enterprise plan single sign-on, audit log and a service level agreement.",
  ),
  page(
    "support",
    "Contacting support",
    "How to reach us and what to send along.",
    "Write from the dashboard. Include the id of the request, which every answer carries in the header Tide-Request-Id.",
    { "Response times": "Four hours on the team plan, thirty minutes for outages on the enterprise plan." },
  ),
  page(
    "troubleshooting-502",
    "Troubleshooting: 502 Bad Gateway",
    "The app answers with 502, or not at all.",
    "A 502 means that the router could not reach an instance. Usually the app listens on the wrong port, or on localhost instead of all addresses.",
    { "The app crashes at start": "Look at the logs of the failed instance; out of memory is shown as exit code 137." },
  ),
  page(
    "migration-v2",
    "Upgrading to version 2",
    "What changed between v1 and v2 of the API.",
    "Version 2 removes the fields that were marked as deprecated. Since v2.4.0 lists are paged with cursors; offset and page numbers are gone.",
    {
      "Breaking changes": "The member count is now total. Dates are in RFC 3339. Errors have a stable code.",
      "Deprecation schedule": "Version 1 is switched off on 2027-03-31.",
    },
  ),
  page(
    "changelog",
    "Changelog",
    "What is new.",
    "v2.4.1: faster cold starts. v2.4.0: cursors. v2.3.0: log drains. v2.2.5: fixes for Safari.",
  ),
  page(
    "glossary",
    "Glossary",
    "The words we use.",
    "App: something that Deploy runs. Collection: a set of documents. Endpoint: a URL of yours that receives webhooks. Token: a credential for the API. Region: a place where we run. Role: what somebody may do. Queue: messages that wait for a consumer.",
  ),
];
