import { expect, it } from "vitest";
import { appId, versionId } from "../../shared/charts/ids.ts";
import { readIndex } from "../../shared/charts/index-reader.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { HelmRequest } from "../../shared/resources/helm-request.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import { indexText } from "../../test/support/index-text.ts";
import { given } from "../../test/support/objects.ts";
import { findListed } from "./listed-version.ts";

const text = indexText({ db: ["1.0.0"], web: ["1.0.0", "2.0.0", "3.0.0"] });
const { stored } = await readIndex(ReadableStream.from([Buffer.from(text)]));
const app = appId({ repo: "repo-1" }, "web");
const id = versionId(app, "1.0.0");
const repo = given(HelmRepo, "repo-1", {
  spec: { name: "charts", url: "https://charts.example.com" },
  status: { indexDigest: "sha256:11" },
});
const application = given(HelmApplication, app, {
  metadata: { labels: { [LABEL.repoId]: "repo-1" } },
  spec: { name: "web" },
});
const objects: readonly { readonly kind: string; readonly metadata: { readonly name: string } }[] = [repo, application];
const sources: Parameters<typeof findListed>[1] = {
  kube: {
    get: async (kind, name) => objects.find((each) => each.kind === kind.kind && each.metadata.name === name) as never,
    list: async (kind) => objects.filter((each) => each.kind === kind.kind) as never,
  },
  blobs: {
    get: async (_, key) => (key === "repo-1/sha256:11" ? stored : undefined),
    put: async () => undefined,
    remove: async () => undefined,
  },
};
const wanting = (spec: { readonly appVerId: string; readonly appId?: string }) =>
  given(HelmRequest, "req-1", { spec: { name: "web", namespace: "demo", ...spec } });

it("finds a version in the index of the application's repository, or of any", async () => {
  const expected = { repo, appId: app, version: { name: "web", version: "1.0.0", verId: id } };
  expect(await findListed(wanting({ appVerId: id, appId: app }), sources)).toMatchObject(expected);
  expect(await findListed(wanting({ appVerId: id }), sources)).toMatchObject(expected);
});

it("finds nothing where no index has it", async () => {
  expect(await findListed(wanting({ appVerId: "appv-unknown" }), sources)).toBeUndefined();
  expect(await findListed(wanting({ appVerId: versionId(app, "9.9.9"), appId: app }), sources)).toBeUndefined();
  const lost = { ...sources, blobs: { ...sources.blobs, get: async () => undefined } };
  expect(await findListed(wanting({ appVerId: id }), lost)).toBeUndefined();
});
