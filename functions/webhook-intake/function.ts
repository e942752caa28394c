import { mapLimited } from "../../shared/concurrency.ts";
import { WebhookReceived } from "../../shared/events/webhook.ts";
import { defineHttpFunction, type HttpAnswer, type HttpPorts, type HttpRequest } from "../../shared/http-function.ts";
import { secretText } from "../../shared/lifecycle/repository-access.ts";
import { SYSTEM_NAMESPACE } from "../../shared/origin.ts";
import { subjectOf } from "../../shared/resource.ts";
import { Secret } from "../../shared/resources/core.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import type { Receiver } from "../../shared/resources/receiver.ts";
import type { Delivery } from "../../shared/webhooks/delivery.ts";
import { PRODUCERS } from "../../shared/webhooks/producers.ts";
import { type Proven, type Received, sortHints } from "../../shared/webhooks/sort-hints.ts";
import { consent } from "./handshake.ts";
import { addressOf, type HookAddress } from "./hook-address.ts";

/** Deliveries of one receiver in a minute; producers send those beyond again, and the next tick finds what they told. */
const PER_MINUTE = 600;

/** Events of one delivery that are published at once. */
const CONCURRENT = 8;

/** Takes webhooks in. What a payload says is a hint: it is announced, and no address that it names is ever contacted. */
export default defineHttpFunction({
  name: "webhook-intake",
  summary: "Takes webhooks of registries and Git hosts at /hooks/<HelmRepo>/<receiver>, proves and announces them.",
  visibility: "public",
  emits: [WebhookReceived],
  reads: [HelmRepo, Secret],
  uses: ["webhooks"],
  timeoutMs: 10_000,
  maxBodyBytes: 3 * 1024 * 1024,
  rate: { perMinute: PER_MINUTE, key: ({ path }) => path },
  async handle(request, ports) {
    const address = addressOf(request);
    if (!address) return { status: 404 };
    if (request.method === "OPTIONS") return consent(request, PER_MINUTE);
    if (request.method !== "POST") return { status: 405, headers: { allow: "POST, OPTIONS" } };
    if (!isReadable(request)) return { status: 415 };
    return take(address, request, ports);
  },
});

type Ports = HttpPorts<typeof WebhookReceived, typeof HelmRepo | typeof Secret, "webhooks">;

/** The same for whoever is unknown and for whoever cannot prove itself, so that nobody learns which receivers exist. */
const REFUSED = 401;

async function take(address: HookAddress, request: HttpRequest, ports: Ports): Promise<HttpAnswer> {
  const body = await request.bytes();
  const repo = await ports.kube.get(HelmRepo, address.repo);
  const receiver = repo?.spec.receivers?.find(({ name }) => name === address.receiver);
  if (!repo || !receiver) return { status: REFUSED, log: { why: "unknown receiver" } };
  const secrets = await secretsOf(receiver, ports);
  const { repo: name, token: addressToken } = address;
  const delivery: Delivery = { headers: request.headers, body, repo: name, receiver, secrets, addressToken };
  const proof = PRODUCERS[receiver.type].proof(delivery);
  if (!proof) return { status: REFUSED, log: { why: "no proof, or nothing to check it with" } };
  if (!(await ports.webhooks.holds(proof, body))) return { status: REFUSED, log: { why: "wrong proof" } };
  return accept(delivery, { repo, receiver, verifiedBy: proof.kind }, ports);
}

async function accept(delivery: Delivery, proven: Proven, ports: Ports): Promise<HttpAnswer> {
  const { receiver } = proven;
  const producer = PRODUCERS[receiver.type];
  const confirmation = producer.confirmation?.(delivery);
  if (confirmation !== undefined && receiver.topicArn !== undefined) {
    await ports.webhooks.confirmSubscription(receiver.topicArn, confirmation);
    return { status: 202, log: { confirmed: receiver.topicArn } };
  }
  const { received, ignored } = sortHints(producer.read(delivery), proven);
  await mapLimited(received, CONCURRENT, (each) => announce(each, ports));
  return { status: 202, log: { received: received.length, ignored } };
}

async function announce({ data, occurrence }: Received, { publish }: Ports): Promise<void> {
  const subject = subjectOf(HelmRepo, { name: data.repo });
  const operator = `webhook:${data.repo}/${data.receiver}`;
  await publish(WebhookReceived.of(subject, data), {
    operator,
    ...(occurrence === undefined ? {} : { id: occurrence }),
  });
}

async function secretsOf({ secretRef }: Receiver, { kube }: Ports): Promise<Readonly<Record<string, string>>> {
  const secret = secretRef && (await kube.get(Secret, { name: secretRef.name, namespace: SYSTEM_NAMESPACE }));
  return Object.fromEntries(Object.keys(secret?.data ?? {}).map((key) => [key, secretText(secret, key) ?? ""]));
}

/** Signatures are over the bytes as they are sent; a form or packed bytes are none that a producer of ours sends. */
function isReadable({ headers }: HttpRequest): boolean {
  const encoding = headers["content-encoding"] ?? "identity";
  return encoding === "identity" && !/x-www-form-urlencoded|multipart\//i.test(headers["content-type"] ?? "");
}
