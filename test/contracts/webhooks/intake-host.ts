import intake from "../../../functions/webhook-intake/function.ts";
import { createFetchHead } from "../../../shared/adapters/charts-http-fetch.ts";
import { createWebhookProofs } from "../../../shared/adapters/webhook-proofs.ts";
import type { Event } from "../../../shared/event.ts";
import { serveRequests } from "../../../shared/host/http-function.ts";
import type { HttpFunction } from "../../../shared/http-function.ts";
import type { Log } from "../../../shared/ports.ts";
import type { KubeObject } from "../../../shared/resource.ts";
import { HelmRepo } from "../../../shared/resources/helm-repo.ts";
import type { Receiver } from "../../../shared/resources/receiver.ts";
import type { Runtime } from "../../../shared/run.ts";
import { given } from "../../support/objects.ts";
import type { Authorities } from "./authorities.ts";
import type { Sent } from "./sample.ts";

/** The intake behind HTTP, in front of one repository. */
export interface Intake extends AsyncDisposable {
  readonly url: string;
  /** As the stream keeps them: an id that is told again is stored once. */
  events(): readonly Event[];
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  /** Delivers to the receiver `hook` of the repository `charts`, or to another path. */
  deliver(sent: Sent, path?: string): Promise<{ readonly status: number; readonly body: string }>;
}

/** What stands in the cluster. */
export interface Standing {
  readonly url: string;
  readonly receiver: Omit<Receiver, "name" | "secretRef">;
  /** What the receiver's Secret holds. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly authorities?: Pick<Authorities, "fetchHead">;
}

/** Serves the intake with everything real but the cluster, which is two objects, and the stream, which is a list. */
export async function openIntake({ url, receiver, secrets, authorities }: Standing): Promise<Intake> {
  const hook = { ...receiver, name: "hook", secretRef: { name: "charts-hook" } };
  const repo = given(HelmRepo, "charts", { spec: { name: "charts", url, receivers: [hook] } });
  const data = Object.fromEntries(Object.entries(secrets).map(([key, value]) => [key, btoa(value)]));
  const objects: Readonly<Record<string, object>> = {
    "HelmRepo charts": repo,
    "Secret openpitrix/charts-hook": { metadata: { name: "charts-hook", namespace: "openpitrix" }, data },
  };
  const kube = {
    get: async ({ kind }: KubeObject, name: string | { name: string; namespace: string }) =>
      objects[`${kind} ${typeof name === "string" ? name : `${name.namespace}/${name.name}`}`],
  };
  const published = new Map<string, Event>();
  const lines: Record<string, unknown>[] = [];
  const write = (fields: Readonly<Record<string, unknown>>) => void lines.push(fields);
  const log: Log = { debug: write, info: write, warn: write, error: write };
  const runtime = {
    kube,
    bus: { publish: async (event: Event) => void published.set(event.id, event) },
    webhooks: createWebhookProofs(async () => authorities?.fetchHead ?? createFetchHead()),
    clock: { now: () => new Date() },
    log,
  } as unknown as Runtime;
  const hosted = { function: intake as unknown as HttpFunction, runtime, log };
  const host = await serveRequests(hosted, { host: "127.0.0.1", port: 0 });
  return {
    url: host.url,
    events: () => [...published.values()],
    lines,
    async deliver({ body, headers, query = "" }, path = "/hooks/charts/hook") {
      const answer = await fetch(`${host.url}${path}${query}`, { method: "POST", headers, body: new Uint8Array(body) });
      return { status: answer.status, body: await answer.text() };
    },
    [Symbol.asyncDispose]: () => host.close(),
  };
}
