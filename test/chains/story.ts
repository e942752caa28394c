import type { Laptop } from "../../knative/local/laptop.ts";
import { appId, versionId } from "../../shared/charts/ids.ts";
import type { DataOf, EventDefinition } from "../../shared/event.ts";
import { VersionApproved, VersionReleased, VersionSubmitted } from "../../shared/events/version.ts";
import { apiVersionOf, type KubeObject, type ResourceDefinition } from "../../shared/resource.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { HelmRequest } from "../../shared/resources/helm-request.ts";
import type { DemoCharts } from "../support/charts.ts";
import { newEvent } from "../support/objects.ts";
import { until } from "../support/until.ts";

/** What people do, from a repository to a request, each act under its name. */
export interface Story {
  addRepository(): Promise<void>;
  upload(): Promise<void>;
  submit(): Promise<void>;
  approve(): Promise<void>;
  release(): Promise<void>;
  request(): Promise<void>;
}

type Act = EventDefinition<string, DataOf<typeof VersionSubmitted>>;

/** The version that comes of the vendor's package; its name is known before it exists. */
export const VERSION = versionId(appId({ workspace: "demo" }, "guestbook"), "2.1.0");

/** Prepares the acts; none waits for what it sets off. */
export function tell(laptop: Laptop, charts: DemoCharts): Story {
  const act = (definition: Act) => () =>
    laptop.publish({ ...newEvent<DataOf<Act>>(definition, { version: VERSION }), operator: "ann" });
  return {
    async addRepository() {
      await create(laptop, HelmRepo, {
        name: "demo",
        spec: { name: "demo", url: charts.repositoryUrl, syncPeriod: 0 },
      });
    },
    async upload() {
      const url = `${laptop.uploadsUrl}?workspace=demo&filename=guestbook-2.1.0.tgz`;
      const answer = await fetch(url, { method: "POST", body: charts.vendorPackage });
      if (answer.status !== 202) throw new Error(`the upload was answered with ${answer.status}`);
    },
    submit: act(VersionSubmitted),
    approve: act(VersionApproved),
    release: act(VersionReleased),
    async request() {
      const spec = { name: "web", appVerId: VERSION, namespace: "default" };
      await create(laptop, HelmRequest, { name: "web", spec });
    },
  };
}

/** All acts at once, none waiting for the one before. */
export async function tellAll(laptop: Laptop, charts: DemoCharts): Promise<void> {
  const { addRepository, upload, submit, approve, release, request } = tell(laptop, charts);
  for (const act of [addRepository, upload, submit, approve, release, request]) await act();
}

/** Resolves when the version is offered, the repository is synced and the release is ready. */
export async function untilFinished(laptop: Laptop, timeoutMs = 45_000): Promise<void> {
  const { kube } = laptop;
  const state = async () => ({
    repo: (await kube.get(HelmRepo, "demo"))?.status?.state,
    version: (await kube.get(HelmApplicationVersion, VERSION))?.status?.state,
    releases: (await kube.list(HelmRelease)).map(({ status }) => status?.state),
  });
  const done = async () => {
    const { repo, version, releases } = await state();
    return repo === "successful" && version === "active" && releases.join() === "active";
  };
  await until("the chain ends", done, { timeoutMs, found: state });
  await laptop.settled({ timeoutMs });
}

/** Makes an object, as a person does with kubectl. */
export function create(
  { kube }: Laptop,
  kind: ResourceDefinition,
  wish: { readonly name: string; readonly spec: object },
): Promise<KubeObject> {
  const { name, spec } = wish;
  const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { name }, spec };
  return kube.create(kind, object as KubeObject, "test");
}
