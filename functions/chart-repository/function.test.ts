import { expect, it } from "vitest";
import { parseIndex } from "../../shared/charts/index-file.ts";
import { readManifest } from "../../shared/charts/oci-manifest.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { given, LONG_AGO } from "../../test/support/objects.ts";
import { indexYaml } from "./index-yaml.ts";
import { configOf, manifestOf } from "./oci-content.ts";
import { publishedOn, suspensionOf } from "./published.ts";

type State = NonNullable<NonNullable<HelmApplicationVersion["status"]>["state"]>;

interface Made {
  readonly state?: State;
  readonly version?: string;
  readonly workspace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly time?: string;
}

function made(
  name: string,
  { state = "active", version = "1.0.0", workspace = "demo", labels, time = LONG_AGO }: Made = {},
) {
  return given(HelmApplicationVersion, name, {
    metadata: { creationTimestamp: time, labels: { "kubesphere.io/workspace": workspace, ...labels } },
    spec: { name: "web", version, appVersion: "7", digest: `sha256:${"ab".repeat(32)}`, package: `pkg-${name}` },
    status: { state, audit: [{ state, time, message: "a hole" }] },
  });
}
const names = (versions: readonly HelmApplicationVersion[], workspace?: string) =>
  publishedOn(versions, workspace).map(({ object }) => object.metadata.name);

it("offers what was released, of one workspace or of all, and nothing that follows a repository", () => {
  const versions = [
    made("a", { version: "1.0.0" }),
    made("b", { version: "1.10.0", workspace: "other" }),
    made("c", { version: "1.9.0", state: "passed" }),
    made("d", { version: "2.0.0", labels: { "application.kubesphere.io/repo-id": "repo-1" } }),
  ];
  expect(names(versions)).toEqual(["b", "a"]);
  expect(names(versions, "demo")).toEqual(["a"]);
});

it("lets the one made first have a name and version, unless it is suspended", () => {
  const later = made("a", { time: "2026-05-04T12:00:00Z" });
  expect(names([later, made("b")])).toEqual(["b"]);
  expect(names([later, made("b", { state: "suspended" })])).toEqual(["a"]);
  const [gone] = publishedOn([made("b", { state: "suspended" })], undefined);
  expect(gone && suspensionOf(gone)).toBe("web 1.0.0 is suspended: a hole");
});

it("writes an index that Helm's rules accept, the same bytes for the same versions", () => {
  const index = indexYaml(
    [made("a"), made("b", { version: "1.1.0+x" }), made("c", { state: "suspended", version: "3.0.0" })],
    undefined,
  );
  expect(parseIndex(index.text)).toMatchObject({
    problems: [],
    entries: [
      {
        name: "web",
        versions: [
          { version: "1.1.0+x", appVersion: "7", digest: "ab".repeat(32), urls: ["web-1.1.0+x.tgz"] },
          { version: "1.0.0" },
        ],
      },
    ],
  });
  expect(indexYaml([made("b", { version: "1.1.0+x" }), made("a")], undefined)).toEqual(index);
  expect(indexYaml([made("a")], undefined).etag).not.toBe(index.etag);
});

it("makes the manifest that helm push would have made", () => {
  const [published] = publishedOn([made("a")], undefined);
  if (!published) throw new Error("nothing is published");
  const config = configOf(published);
  const manifest = manifestOf(published, 1234);
  expect(readManifest(Buffer.from(manifest.text))).toMatchObject({
    kind: "chart",
    config: { digest: config.digest, size: config.text.length },
    content: { digest: published.digest, size: 1234 },
  });
  expect(JSON.parse(config.text)).toEqual({ name: "web", version: "1.0.0", appVersion: "7", apiVersion: "v2" });
  expect(manifestOf(published, 1234)).toEqual(manifest);
});
