// Tidepool Relay, a message queue and webhook sender that does not exist.

import { page } from "./page";

export const relay = [
  page(
    "relay",
    "Tidepool Relay",
    "Queues, topics and webhooks.",
    "Relay moves messages between services. A queue delivers each message to one consumer, a topic to all of them, and a webhook to a URL of yours.",
    {
      "Delivery guarantees":
        "Messages are delivered at least once. Make consumers idempotent, or use the message id to drop repeats.",
    },
  ),
  page(
    "relay-queues",
    "Queues",
    "Work that one consumer at a time takes.",
    "A consumer leases a message for a while. When it acknowledges in time the message is gone; when it does not, another consumer gets it.",
    {
      "Visibility timeout": "The lease lasts thirty seconds by default. A consumer may extend it while it works.",
      "Dead letter queue":
        "After five failed deliveries a message moves to the dead letter queue, where you can look at it and send it again.",
      "Delayed messages": "A message can be hidden until a given moment, at most seven days ahead.",
    },
  ),
  page(
    "relay-topics",
    "Topics and subscriptions",
    "Publish once, deliver to many.",
    "Every subscription of a topic receives its own copy of each message. Subscriptions can filter by attributes and start from the beginning of the retained log.",
    {
      Retention: "A topic keeps messages for three days, or longer when you pay for it.",
      Ordering: "Messages with the same key arrive in the order they were published.",
    },
  ),
  page(
    "webhooks",
    "Webhooks",
    "Have events sent to a URL of yours.",
    "Register an endpoint and choose the events it wants. Relay posts a JSON body for each event and expects a 2xx answer within ten seconds.",
    {
      "Event types": "order.created, order.paid, member.joined and others; the full list is in the reference.",
      "Testing locally": "tide relay listen forwards events to a port of your machine.",
    },
  ),
  page(
    "webhook-signatures",
    "Verifying webhook signatures",
    "Make sure that a delivery really comes from Relay.",
    "Each delivery carries the header Relay-Signature: a timestamp and an HMAC with SHA-256 of the body. Compute it with the secret of your endpoint and compare in constant time.",
    {
      "Replay protection": "Refuse deliveries whose timestamp is older than five minutes.",
      "Rotating the secret": "During a rotation both secrets sign; the header then holds two signatures.",
    },
  ),
  page(
    "webhook-retries",
    "Retries and failures of deliveries",
    "What happens when your endpoint is down.",
    "A delivery that fails is tried again after one minute, five minutes, half an hour, two hours and then every six hours for three days.",
    {
      "Disabled endpoints": "After three days of failures the endpoint is switched off and its owners get an e-mail.",
      "Redelivering by hand": "Open the delivery in the dashboard and choose Send again.",
    },
  ),
  page(
    "relay-schedules",
    "Scheduled messages and cron",
    "Send messages at fixed times.",
    "A schedule publishes a message by a cron expression or at a fixed rate. Times are in UTC unless the schedule names a time zone.",
    {
      "Cron expressions": "Five fields: minute, hour, day of month, month, day of week.",
      "Missed runs": "A run that was missed during an outage is made up once, not many times.",
    },
  ),
  page(
    "relay-idempotency",
    "Idempotent consumers",
    "Handle a message twice without harm.",
    "Deliveries may repeat. Store the id of each handled message together with its effect in one transaction, and skip what is already there.",
  ),
  page(
    "relay-monitoring",
    "Queue metrics and alerts",
    "Know when consumers fall behind.",
    "Relay exposes the depth of every queue, the age of the oldest message and the rate of failures. Alert on age, not on depth.",
    { Dashboards: "The built-in dashboard shows the last two weeks. Metrics can be scraped in the Prometheus format." },
  ),
  page(
    "relay-limits",
    "Limits of Relay",
    "Sizes and rates that Relay enforces.",
    "A message is at most 256 KB. A queue holds at most ten million messages. A webhook body is at most 64 KB.",
  ),
  page(
    "relay-kafka",
    "Bridging to Apache Kafka",
    "Copy messages between a topic and a Kafka cluster.",
    "A bridge reads from one side and writes to the other, keeping keys and order within a partition. Offsets are stored in Relay, so a bridge can be restarted anywhere.",
    { "SASL and TLS": "Give the bridge a user name and password, or a client certificate." },
  ),
];
