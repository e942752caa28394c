import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { PackageRefused } from "../../../shared/events/package.ts";
import {
  ReleaseChanged,
  ReleaseDeployed,
  ReleaseFailed,
  ReleaseReady,
  ReleaseRefused,
} from "../../../shared/events/release.ts";
import { RepoSynced, RepoSyncFailed } from "../../../shared/events/repo.ts";
import {
  VersionActionRefused,
  VersionApproved,
  VersionCreated,
  VersionReleased,
  VersionStateChanged,
  VersionSubmitted,
} from "../../../shared/events/version.ts";
import { LABEL } from "../../../shared/resources/labels.ts";
import { makePackages, VENDOR_PACKAGE } from "./chart-packages.ts";
import { listReleases } from "./helm-list.ts";
import { latestRepositoryVersion } from "./latest-version.ts";
import { postEvent } from "./post-event.ts";
import { DEMO, type Step, type Story } from "./story.ts";

const API = "application.kubesphere.io/v1alpha1";
const LABELS = { [LABEL.workspace]: DEMO.workspace };
const FROM_REPO = ["-l", `${LABEL.repoId}=${DEMO.repo}`];

const addRepository: Step = {
  title: "add a repository: kubectl apply of a HelmRepo",
  suspect: () => ["helmrepo", DEMO.repo],
  async run({ kubectl, observer, repositoryUrl }) {
    const spec = { name: DEMO.repo, url: repositoryUrl, syncPeriod: 0 };
    await kubectl.apply({ apiVersion: API, kind: "HelmRepo", metadata: { name: DEMO.repo, labels: LABELS }, spec });
    const { data } = await observer.event({
      type: RepoSynced.type,
      unless: RepoSyncFailed.type,
      seconds: 300,
      matches: (event) => event.subject === `helmrepos/${DEMO.repo}`,
    });
    const { charts, versions, dropped } = RepoSynced.data.parse(data);
    await kubectl.waitFor(`helmrepo/${DEMO.repo}`, "condition=Ready");
    return `${charts} charts with ${versions} versions${dropped > 0 ? `, ${dropped} unusable` : ""}`;
  },
};

const seeApplications: Step = {
  title: "applications and versions appear: kubectl get",
  suspect: () => ["helmrepo", DEMO.repo],
  async run(story) {
    const count = async (kind: string) => {
      const names = await story.kubectl.run(["get", kind, ...FROM_REPO, "-o", "name"]);
      return names.split("\n").filter((name) => name !== "").length;
    };
    const [apps, versions] = [await count("helmapplications"), await count("helmapplicationversions")];
    if (apps === 0 || versions === 0) throw new Error(`the repository gave ${apps} applications, ${versions} versions`);
    if (story.foreign) story.version = await latestRepositoryVersion(story.kubectl, DEMO.repo);
    return `${apps} applications, ${versions} versions`;
  },
};

const uploadPackage: Step = {
  title: "a vendor uploads a package: POST of its bytes",
  suspect: () => ["helmpackages"],
  async run(story) {
    const folder = await makePackages(story.helm, "vendor", [VENDOR_PACKAGE]);
    const [filename = ""] = await readdir(folder);
    const query = new URLSearchParams({ workspace: DEMO.workspace, filename });
    const body = await readFile(join(folder, filename));
    const answer = await fetch(`${story.laptop.uploadsUrl}?${query}`, { method: "POST", body });
    const text = await answer.text();
    if (answer.status !== 202) throw new Error(`the upload was answered with ${answer.status}: ${text}`);
    const { event: id } = JSON.parse(text) as { readonly event: string };
    const created = await story.observer.event({
      type: VersionCreated.type,
      unless: PackageRefused.type,
      seconds: 60,
      matches: (event) => event.causationid === id,
    });
    const { version } = VersionCreated.data.parse(created.data);
    await story.kubectl.waitFor(`helmapplicationversion/${version}`, "jsonpath={.status.state}=draft");
    if (!story.foreign) story.version = version;
    uploaded.set(story, version);
    return `${filename} became version ${version}, a draft`;
  },
};

/** The version that came from the upload, which goes through the review even where another one is released. */
const uploaded = new WeakMap<Story, string>();

const ACTS = [
  { title: "the vendor submits it: CloudEvent version.submitted", on: VersionSubmitted, to: "submitted" },
  { title: "a reviewer approves it: CloudEvent version.approved", on: VersionApproved, to: "passed" },
  { title: "it is released to the store: CloudEvent version.released", on: VersionReleased, to: "active" },
] as const;

const acts = ACTS.map(
  ({ title, on, to }): Step => ({
    title,
    suspect: (story) => ["helmapplicationversion", uploaded.get(story) ?? ""],
    async run(story) {
      const version = uploaded.get(story) ?? "";
      const id = await postEvent(story.laptop.ingressUrl, on.of(`helmapplicationversions/${version}`, { version }));
      await story.observer.event({
        type: VersionStateChanged.type,
        unless: VersionActionRefused.type,
        seconds: 60,
        matches: (event) => event.causationid === id,
      });
      await story.kubectl.waitFor(`helmapplicationversion/${version}`, `jsonpath={.status.state}=${to}`);
      return `state ${to}`;
    },
  }),
);

const requestRelease: Step = {
  title: "a member asks for it: kubectl apply of a HelmRequest",
  suspect: () => ["helmrequest", DEMO.request],
  async run({ kubectl, observer, version }) {
    await kubectl.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: DEMO.namespace } });
    const spec = { name: DEMO.release, appVerId: version, namespace: DEMO.namespace };
    await kubectl.apply({
      apiVersion: API,
      kind: "HelmRequest",
      metadata: { name: DEMO.request, labels: LABELS },
      spec,
    });
    await observer.event({
      type: ReleaseChanged.type,
      unless: ReleaseRefused.type,
      seconds: 60,
      matches: () => true,
    });
    await kubectl.waitFor(`helmrequest/${DEMO.request}`, "jsonpath={.status.state}=Accepted");
    return `${version} into namespace ${DEMO.namespace}`;
  },
};

const OR_FAILED = { unless: ReleaseFailed.type, seconds: 300, matches: () => true };

const install: Step = {
  title: "Helm installs it",
  suspect: () => ["helmreleases", "-n", DEMO.namespace],
  async run({ observer }) {
    const { data } = await observer.event({ type: ReleaseDeployed.type, ...OR_FAILED });
    const { chart, version, revision } = ReleaseDeployed.data.parse(data);
    return `${chart} ${version}, revision ${revision}`;
  },
};

const becomeReady: Step = {
  title: "it becomes ready",
  suspect: () => ["helmreleases", "-n", DEMO.namespace],
  async run({ observer, kubectl }) {
    const { data } = await observer.event({ type: ReleaseReady.type, ...OR_FAILED });
    const { release } = ReleaseReady.data.parse(data);
    await kubectl.waitFor(`helmrelease/${release}`, "condition=Ready", { namespace: DEMO.namespace });
    return `HelmRelease ${release}`;
  },
};

const listRelease: Step = {
  title: "helm list shows it",
  suspect: () => ["helmreleases", "-n", DEMO.namespace],
  async run({ laptop, helm }) {
    const found = (await listReleases(helm, laptop.kubeconfigPath)).find(({ name }) => name === DEMO.release);
    if (found?.status !== "deployed") throw new Error(`helm says ${found?.status ?? "no such release"}`);
    return `${found.name} ${found.chart}, ${found.status}`;
  },
};

/** The lifecycle in its order. */
export const STEPS: readonly Step[] = [
  addRepository,
  seeApplications,
  uploadPackage,
  ...acts,
  requestRelease,
  install,
  becomeReady,
  listRelease,
];
