import * as z from "zod";
import { apply, change, create, remove } from "../../shared/decision.ts";
import { defineEvent } from "../../shared/event.ts";
import { defineFunction } from "../../shared/function.ts";
import { defineHttpFunction } from "../../shared/http-function.ts";
import { Secret } from "../../shared/resources/core.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";

// Nothing here runs: the compiler checks that each marked line is an error and that every other line is none.

const Asked = defineEvent({
  type: "thing.asked",
  summary: "Asked.",
  data: z.object({ name: z.string() }),
  example: { name: "x" },
});
const Done = defineEvent({
  type: "thing.done",
  summary: "Done.",
  data: z.object({ count: z.int() }),
  example: { count: 1 },
});
const Other = defineEvent({ type: "thing.other", summary: "Other.", data: z.object({}), example: {} });

const declared = {
  on: Asked,
  summary: "A function that declares one of each.",
  emits: [Done],
  reads: [HelmRepo],
  writes: [HelmRepo],
  timeoutMs: 1_000,
} as const;
const repo = { metadata: { name: "repo-x" }, spec: { name: "x", url: "https://example.org" } };
const app = { metadata: { name: "app-x" }, spec: { name: "x" } };

/** What is declared compiles. */
export const honest = defineFunction({
  ...declared,
  uses: ["clock"],
  gather: async (event, { kube, clock }) => ({ repo: await kube.get(HelmRepo, event.data.name), now: clock.now() }),
  decide: (world, event) =>
    change({
      write: world.repo ? [apply(HelmRepo, { metadata: world.repo.metadata })] : [create(HelmRepo, repo)],
      announce: [Done.of(event.data.name, { count: 1 })],
    }),
});

/** An event that is not in `emits`. */
export const announcesMore = defineFunction({
  ...declared,
  gather: async () => ({}),
  // @ts-expect-error Other is not declared in emits
  decide: () => change({ announce: [Other.of("x", {})] }),
});

/** Data that the event does not have. */
export const announcesNonsense = defineFunction({
  ...declared,
  gather: async () => ({}),
  // @ts-expect-error count is a number
  decide: () => change({ announce: [Done.of("x", { count: "one" })] }),
});

/** A kind that is not in `reads`. */
export const readsMore = defineFunction({
  ...declared,
  // @ts-expect-error Secret is not declared in reads
  gather: async (_, { kube }) => kube.get(Secret, "x"),
  decide: () => change({}),
});

/** A list of a kind that is not in `reads`. */
export const listsMore = defineFunction({
  ...declared,
  // @ts-expect-error HelmApplication is not declared in reads
  gather: async (_, { kube }) => kube.list(HelmApplication),
  decide: () => change({}),
});

/** A kind that is not in `writes`. */
export const writesMore = defineFunction({
  ...declared,
  gather: async () => ({}),
  // @ts-expect-error HelmApplication is not declared in writes
  decide: () => change({ write: [create(HelmApplication, app)] }),
});

/** Deleting a kind that is not in `writes`. */
export const removesMore = defineFunction({
  ...declared,
  gather: async () => ({}),
  // @ts-expect-error HelmApplication is not declared in writes
  decide: () => change({ write: [remove(HelmApplication, { apiVersion: "v1", kind: "HelmApplication", ...app })] }),
});

/** A field that the kind does not have. */
export const misspells = defineFunction({
  ...declared,
  gather: async () => ({}),
  // @ts-expect-error HelmRepo has no spec.uri
  decide: () => change({ write: [create(HelmRepo, { ...repo, spec: { name: "x", uri: "https://example.org" } })] }),
});

/** A service that is not in `uses`. */
export const usesMore = defineFunction({
  ...declared,
  // @ts-expect-error helm is not declared in uses
  gather: async (_, { helm }) => helm.objects({ name: "x" }),
  decide: () => change({}),
});

/** Writing while gathering. */
export const writesTooEarly = defineFunction({
  ...declared,
  // @ts-expect-error gather only reads
  gather: async (_, { kube }) => kube.create(HelmRepo, repo, "me"),
  decide: () => change({}),
});

/** A field of the event's data that is not there. */
export const readsNonsense = defineFunction({
  ...declared,
  // @ts-expect-error the event has no data.title
  gather: async (event) => event.data.title,
  decide: () => change({}),
});

const requested = {
  name: "thing",
  summary: "An HTTP function that declares one of each.",
  visibility: "public",
  emits: [Done],
  reads: [HelmRepo],
  timeoutMs: 1_000,
  maxBodyBytes: 1_000,
} as const;

/** What is declared compiles, and announcing gives the event. */
export const honestHttp = defineHttpFunction({
  ...requested,
  uses: ["clock"],
  async handle({ path }, { kube, clock, publish }) {
    const found = await kube.get(HelmRepo, path);
    const { id } = await publish(Done.of(found?.metadata.name ?? "", { count: clock.now().getTime() }), { id: path });
    return { status: 202, headers: { "x-event": id } };
  },
});

/** An event that is not in `emits`. */
export const announcesMoreHttp = defineHttpFunction({
  ...requested,
  async handle(_, { publish }) {
    // @ts-expect-error Other is not declared in emits
    await publish(Other.of("x", {}));
    return { status: 202 };
  },
});

/** A kind that is not in `reads`. */
export const readsMoreHttp = defineHttpFunction({
  ...requested,
  async handle(_, { kube }) {
    // @ts-expect-error Secret is not declared in reads
    await kube.get(Secret, "x");
    return { status: 202 };
  },
});

/** A service that is not in `uses`. */
export const usesMoreHttp = defineHttpFunction({
  ...requested,
  // @ts-expect-error helm is not declared in uses
  async handle(_, { helm }) {
    await helm.objects({ name: "x" });
    return { status: 202 };
  },
});

/** Writing, which is left to functions of events. */
export const writesHttp = defineHttpFunction({
  ...requested,
  async handle(_, { kube }) {
    // @ts-expect-error an HTTP function only reads
    await kube.create(HelmRepo, repo, "me");
    return { status: 202 };
  },
});
