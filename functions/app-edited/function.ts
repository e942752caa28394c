import { change, type Decision, replace } from "../../shared/decision.ts";
import { AppActionRefused, AppChanged, AppEdited } from "../../shared/events/app.ts";
import { defineFunction } from "../../shared/function.ts";
import { refuseApp } from "../../shared/lifecycle/app-act.ts";
import { isDone } from "../../shared/lifecycle/remembered-acts.ts";
import { MAX_ATTACHMENT_BYTES } from "../../shared/pictures.ts";
import type { Blobs } from "../../shared/ports.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import { edited } from "./edited.ts";
import { problemOf, wantedPictures } from "./problems.ts";
import type { World } from "./world.ts";

type EditDecision = Decision<typeof AppChanged.type | typeof AppActionRefused.type, "HelmApplication">;

/** What an application shows is edited; the copy of the store is edited by itself (KubeSphere §2.9). */
export default defineFunction({
  on: AppEdited,
  summary: "Edits what an application, or the store's copy of it, shows: texts, category, icon, screenshots.",
  emits: [AppChanged, AppActionRefused],
  reads: [HelmApplication, HelmCategory],
  writes: [HelmApplication],
  uses: ["blobs"],
  timeoutMs: 20_000,
  gather: async ({ data }, { kube, blobs }): Promise<World> => {
    const app = await kube.get(HelmApplication, data.app);
    const workspace = app?.metadata.labels?.[LABEL.workspace];
    const renamed = data.name !== undefined && data.name !== app?.spec.name;
    return {
      app,
      neighbours:
        renamed && workspace ? await kube.list(HelmApplication, { labels: { [LABEL.workspace]: workspace } }) : [],
      category: data.category ? await kube.get(HelmCategory, data.category) : undefined,
      pictures: await picturesOf(wantedPictures(data), blobs),
    };
  },
  decide: (world, event): EditDecision => {
    const { app } = world;
    const name = event.data.app;
    if (!app) {
      const why = `helmapplications.application.kubesphere.io "${name}" not found`;
      return refuseApp("edit", event, { reason: "ApplicationNotFound", why });
    }
    if (isDone(app, event)) return change({ announce: [told(app)] });
    const problem = problemOf(app, world, event.data);
    if (problem) return refuseApp("edit", event, problem);
    // Stored anew, so that a sweep that is under way leaves them alone.
    const blobs = [...world.pictures].map(([key, bytes]) => ({ bucket: "attachments" as const, key, bytes }));
    return change({ blobs, write: [replace(HelmApplication, edited(app, event))], announce: [told(app)] });
  },
});

async function picturesOf(ids: readonly string[], blobs: Blobs): Promise<ReadonlyMap<string, Uint8Array>> {
  const pictures = new Map<string, Uint8Array>();
  for (const id of ids) {
    const bytes = await blobs.get("attachments", id, MAX_ATTACHMENT_BYTES);
    if (bytes) pictures.set(id, bytes);
  }
  return pictures;
}

function told({ metadata: { name }, status }: HelmApplication) {
  const data = { app: name, state: status?.state ?? "draft", latestVersion: status?.latestVersion ?? "" };
  return AppChanged.of(subjectOf(HelmApplication, { name }), data);
}
