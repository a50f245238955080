// Tidepool Store, a database that does not exist.

import { page } from "./page";

export const store = [
  page(
    "store",
    "Tidepool Store",
    "A document database with transactions and change feeds.",
    "Store keeps JSON documents in collections. Every write is durable before it is acknowledged, and every read sees the latest acknowledged write unless you ask for less.",
    {
      "When to use it":
        "Use Store when your data has relations that a cache cannot hold, and when two people may edit the same record at once.",
      "What it is not": "It is not a warehouse: analytical scans over billions of rows belong elsewhere.",
    },
  ),
  page(
    "store-quickstart",
    "Quickstart: your first collection",
    "Create a collection, insert a document and read it back.",
    "This guide takes about five minutes. You need an account, the tide command line and a terminal.",
    {
      "Create a collection": "Run tide store create orders. The collection is empty and lives in your nearest region.",
      "Insert a document":
        "Send a JSON object to the collection. Store answers with the id of the new document and its revision.",
      "Read it back":
        "Fetch the document by its id. The answer carries an ETag that you can use for conditional updates.",
    },
  ),
  page(
    "store-indexes",
    "Indexes",
    "Make queries fast with single-field and compound indexes.",
    "Without an index a query walks the whole collection. An index keeps one or more fields in sorted order, so that a query reads only the rows it returns.",
    {
      "Compound indexes":
        "The order of the fields matters: put the field you filter by equality before the one you sort by.",
      "Partial indexes": "An index with a condition holds only the documents that satisfy it, and takes less space.",
      "Building in the background":
        "New indexes are built without blocking writes. Progress is shown by tide store index status.",
    },
  ),
  page(
    "store-queries",
    "Writing queries",
    "Filter, sort and page through documents.",
    "A query names a collection, a filter, an order and a limit. Filters compare fields with equals, less than, greater than, in and exists.",
    {
      Pagination: "Answers hold at most 1000 documents and a cursor for the next page. A cursor stays valid for a day.",
      Projections: "Ask for some fields only, and the answer is smaller. The id is always included.",
      "Query plans": "Add explain to see which index was chosen and how many rows were read.",
    },
  ),
  page(
    "store-transactions",
    "Transactions",
    "Change several documents atomically.",
    "A transaction reads and writes any number of documents in one region. Either all writes happen or none. Conflicts are detected when you commit, and the losing transaction is retried.",
    {
      "Isolation levels": "The default is serializable. Snapshot isolation is faster and allows write skew.",
      Deadlocks: "There are none, because nothing is locked; a transaction that keeps losing backs off exponentially.",
      Limits: "A transaction may last thirty seconds and touch ten thousand documents.",
    },
  ),
  page(
    "store-backups",
    "Backups and restore",
    "Point-in-time recovery for the last thirty days.",
    "Store takes a continuous backup of every collection. You can restore to any second of the last thirty days, into the same project or another one.",
    {
      "Restore a collection":
        "Choose a moment and a target name. The restored collection is a copy: the original stays untouched.",
      "Export to object storage": "A nightly export writes newline-delimited JSON into a bucket that you own.",
      "Testing your recovery": "A backup that was never restored is a hope. Schedule a restore drill every quarter.",
    },
  ),
  page(
    "store-change-feeds",
    "Change feeds",
    "Follow every insert, update and delete as it happens.",
    "A change feed delivers the changes of a collection in commit order. A consumer remembers its position and can resume after a crash without losing or repeating a change.",
    {
      "Resume tokens": "Each change carries a token. Hand it back and the feed goes on with the next change.",
      Filtering: "Subscribe to some fields only, or to documents that satisfy a filter.",
    },
  ),
  page(
    "store-replication",
    "Replication and regions",
    "Keep copies near your users and survive the loss of a region.",
    "A collection has one leader region and any number of followers. Reads may go to the nearest follower when slightly stale data is good enough.",
    {
      Failover:
        "When the leader is lost, a follower is promoted within thirty seconds. Acknowledged writes are never lost.",
      "Stale reads": "Set maxStaleness to the number of seconds you can bear.",
      "Data residency": "Pin a collection to the European Union, and no copy of it leaves.",
    },
  ),
  page(
    "store-schema",
    "Schemas and validation",
    "Reject documents that do not have the right shape.",
    "Attach a JSON Schema to a collection. Documents that violate it are refused with the path of the offending field.",
    {
      "Changing a schema": "Existing documents are checked in the background; violations are listed, not deleted.",
      "Nullable fields": "A field may be absent, null or a value; say which of them you allow.",
    },
  ),
  page(
    "store-ttl",
    "Expiring documents",
    "Delete documents automatically after a time to live.",
    "Name a date field as the expiry of a collection. Documents vanish within a minute of that date. Sessions, invitations and caches are typical uses.",
    { "Expiry and backups": "An expired document can still be restored from a backup taken before its date." },
  ),
  page(
    "store-import",
    "Importing data",
    "Load CSV, JSON lines or a dump of another database.",
    "The importer reads files from your machine or from a bucket. It resumes where it stopped and reports the lines that it could not read.",
    {
      "From PostgreSQL":
        "Give the importer a connection string. Tables become collections, foreign keys stay plain ids.",
      "From MongoDB": "Use a mongodump archive. ObjectIds are kept as hexadecimal strings.",
      "CSV files": "The first line holds the names of the fields. Numbers and booleans are recognized.",
    },
  ),
  page(
    "store-limits",
    "Limits of Store",
    "Sizes, rates and counts that Store enforces.",
    "A document is at most 1 MB. A collection has no limit of documents. A query returns at most 1000 documents at once.",
    {
      "Request rates":
        "A project may send 5000 requests a second. Above that, answers have status 429 and a Retry-After header.",
      "Raising a limit": "Write to support with the name of the project and the reason.",
    },
  ),
];
