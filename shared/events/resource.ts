import * as z from "zod";
import { defineEvent } from "../event.ts";
import { ping, type ResourceChange, resourceChanges, type WatchedResource } from "../origin.ts";
import { HelmApplication } from "../resources/helm-application.ts";
import { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import { HelmCategory } from "../resources/helm-category.ts";
import { HelmRelease } from "../resources/helm-release.ts";
import { HelmRepo } from "../resources/helm-repo.ts";
import { HelmRequest } from "../resources/helm-request.ts";
import { LABEL, STORE_REPO } from "../resources/labels.ts";

const Changed = z.object({
  change: z.enum(["add", "update", "delete"]).describe("What happened to the object."),
  kind: z.string().describe("Kind of the object."),
  name: z.string().min(1).max(253).describe("Name of the object."),
  namespace: z.string().max(63).optional().describe("Namespace, where the kind has one."),
});

const Name = z.object({ name: z.string(), namespace: z.string().optional() });
const Reference = Name.extend({ kind: z.string() });
const WholeObject = z.object({ kind: z.string(), metadata: Name });

const WATCHED: readonly WatchedResource[] = [
  { kind: HelmRepo },
  // Versions of repositories come by the thousand and have their state from the sync.
  { kind: HelmApplicationVersion, withoutLabel: LABEL.repoId },
  { kind: HelmApplicationVersion, withLabels: { [LABEL.repoId]: STORE_REPO } },
  // A person decides about these by an annotation.
  { kind: HelmApplicationVersion, withLabels: { [LABEL.indexState]: "quarantined" } },
  // Applications of repositories follow their index.
  { kind: HelmApplication, withoutLabel: LABEL.repoId },
  { kind: HelmApplication, withLabels: { [LABEL.repoId]: STORE_REPO } },
  { kind: HelmCategory },
  { kind: HelmRequest },
  { kind: HelmRelease },
];

/** Somebody changed an object: `kubectl apply` starts the same chains as any other way in. */
export const ResourceChanged = defineEvent({
  type: "resource.changed",
  summary: "An object of the store was added, changed or deleted in the cluster.",
  data: Changed,
  example: { change: "add", kind: "HelmRepo", name: "repo-300m50zn91nwz5" },
  origin: resourceChanges("store-objects", WATCHED, read),
});

/** Time to look what events that were lost have left undone. */
export const ResourceResyncTick = defineEvent({
  type: "resource.resync.tick",
  summary: "Time to look at all objects for what lost events have left undone.",
  data: z.object({}),
  example: {},
  origin: ping("resource-resync-tick", "*/10 * * * *", {}),
});

function read({ change, object }: ResourceChange): z.output<typeof Changed> {
  const whole = WholeObject.safeParse(object);
  const { kind, name, namespace } = whole.success ? { ...whole.data.metadata, ...whole.data } : Reference.parse(object);
  return { change, kind, name, ...(namespace === undefined ? {} : { namespace }) };
}
