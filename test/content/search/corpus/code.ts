// Reference pages: identifiers, paths and settings as they stand in code.

import { page } from "./page";

export const code = [
  page(
    "sdk-node",
    "Node.js SDK",
    "Install and use the JavaScript client.",
    "npm install @tidepool/sdk. The client works in Node.js 20 and later, in Deno and in browsers.",
    {
      "Create a client": 'import { createTideClient } from "@tidepool/sdk"; const tide = createTideClient({ token });',
      "Handle errors":
        "Failed calls throw a TideError with code, status and requestId. Use isRetryable(error) to decide whether to try again.",
    },
  ),
  page(
    "sdk-python",
    "Python SDK",
    "Install and use the Python client.",
    "pip install tidepool. The client supports asyncio and type hints.",
    {
      "Create a client": 'from tidepool import Client; client = Client(token=os.environ["TIDE_TOKEN"])',
      "Bulk writes": "client.store.bulk_write(docs, ordered=False, chunk_size=500) sends documents in chunks.",
    },
  ),
  page(
    "sdk-go",
    "Go SDK",
    "Install and use the Go module.",
    "go get example.com/tidepool/tide-go. Every call takes a context.Context and honours its deadline.",
    { Iterators: 'it := client.ListDocuments(ctx, "orders"); for it.Next() { use(it.Value()) }' },
  ),
  page(
    "sdk-cpp",
    "C++ library",
    "Link the native client.",
    "The C++ library needs a C++20 compiler and CMake. Link the target tidepool::client.",
  ),
  page(
    "cli",
    "The tide command line",
    "Commands, flags and configuration of the CLI.",
    "Install with brew install tide or download a binary. tide login opens the browser and stores a token in ~/.config/tide.",
    {
      "Global flags": "--project, --region, --output json, --quiet, --no-color",
      "Exit codes": "0 success, 1 failure, 2 wrong usage, 3 not signed in",
      "Shell completion": "tide completion zsh prints a script for your shell.",
    },
  ),
  page(
    "config-file",
    "tide.config.json reference",
    "Every setting of the configuration file.",
    "The file lies at the root of the repository.",
    {
      "build.output_dir": "The directory with the built files. Default: dist.",
      "scaling.min_instances": "How many instances always run. Default: 0.",
      "routes[].rewrite": "Sends a path to another one without a redirect.",
    },
  ),
  page(
    "api-documents",
    "Documents API",
    "HTTP reference: create, read, update, delete documents.",
    "Base address: https://api.tidepool.example/v2",
    {
      "GET /v2/collections/{collectionId}/documents":
        "Lists documents. Query parameters: filter, order, limit, cursor.",
      "PATCH /v2/collections/{collectionId}/documents/{documentId}":
        "Merges the body into the document. Send If-Match with the revision to avoid lost updates.",
      "DELETE /v2/collections/{collectionId}/documents/{documentId}":
        "Deletes the document. Answers 204 also when it is gone already.",
    },
  ),
  page(
    "api-members",
    "Members API",
    "HTTP reference: list, change and remove members.",
    "Members are people in an organization.",
    {
      "GET /v2/orgs/{organizationId}/members": "Lists members. Query parameters: role, search, limit, cursor.",
      "PUT /v2/orgs/{organizationId}/members/{userId}": "Changes the role of a member.",
    },
  ),
  page(
    "api-errors",
    "Error codes",
    "Every code that an answer may carry.",
    "Errors have a JSON body with code, message and requestId.",
    {
      rate_limit_exceeded: "Status 429. Wait as long as Retry-After says.",
      invalid_cursor: "Status 400. The cursor is older than a day, or belongs to another list.",
      permission_denied: "Status 403. The credential lacks a scope or a role.",
      document_too_large: "Status 413. The document is larger than 1 MB.",
    },
  ),
  page(
    "rate-limits",
    "Rate limiting",
    "How many requests you may send.",
    "Limits are counted per token in windows of one second. Answers carry X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset.",
    {
      "Backing off":
        "After a 429 wait for Retry-After, then add a random delay so that clients do not return all at once.",
    },
  ),
  page(
    "terraform",
    "Terraform provider",
    "Manage projects, queues and domains as code.",
    'resource "tidepool_queue" "jobs" { name = "jobs" visibility_timeout = 30 }',
    { "Importing resources": "terraform import tidepool_queue.jobs que_123" },
  ),
  page(
    "docker",
    "Docker images",
    "Bring your own container.",
    "Push an image to registry.tidepool.example and deploy it with tide deploy --image. Images for linux/amd64 and linux/arm64 run.",
    { Dockerfile: "EXPOSE is ignored; listen on the port in $PORT." },
  ),
];
