import { expect, it } from "vitest";
import { VersionEdited } from "../../shared/events/version.ts";
import { draftEntry } from "../../shared/lifecycle/audit.ts";
import type { VersionState } from "../../shared/lifecycle/states.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { announcedBy, given, happened, LONG_AGO, writesOf, writtenBy } from "../../test/support/objects.ts";
import subject from "./function.ts";

const labels = { "application.kubesphere.io/app-id": "app-1" };

function version(state: VersionState, name = "appv-1", spec: object = {}): HelmApplicationVersion {
  const audit = [draftEntry({ name, time: LONG_AGO, event: "made" })];
  return given(HelmApplicationVersion, name, {
    metadata: { labels },
    spec: { name: "web", version: "1.0.0", appVersion: "7", ...spec },
    status: { state, audit },
  });
}

function edit(data: object, of: HelmApplicationVersion | undefined = version("draft"), siblings = of ? [of] : []) {
  return subject.decide({ version: of, siblings }, happened(VersionEdited, { version: "appv-1", ...data }));
}
const written = (decision: ReturnType<typeof edit>) => writtenBy(decision, "replace", HelmApplicationVersion)[0];

it("describes a version in any state, once", () => {
  const decision = edit({ name: "1.0.0 [7]", description: "mends" }, version("active"));
  expect(written(decision)?.spec).toMatchObject({ version: "1.0.0", appVersion: "7", description: "mends" });
  expect(decision.announce?.[0]).toMatchObject({ data: { app: "app-1", name: "1.0.0 [7]" } });
  const again = edit({ description: "else" }, written(decision));
  expect([writesOf(again), announcedBy(again)]).toEqual([[], ["version.changed"]]);
});

it("renames a draft, and has the application follow", () => {
  const decision = edit({ name: " 1.1.0 " });
  expect(written(decision)?.spec).toEqual({ name: "web", version: "1.1.0" });
  expect(announcedBy(decision)).toEqual(["version.changed", "version.state.changed"]);
});

it.each([
  { of: version("active"), data: { name: "1.1.0" }, message: "action not permitted" },
  { of: version("draft"), data: { name: "2.0.0" }, message: "application version exists" },
  { of: version("draft"), data: { name: " " }, message: "version name is empty" },
])("refuses: $message", ({ of, data, message }) => {
  const decision = edit(data, of, [of, version("draft", "appv-2", { version: "2.0.0" })]);
  expect(decision).toMatchObject({ outcome: "refuse", message });
  expect([writesOf(decision), announcedBy(decision)]).toEqual([[], ["version.action.refused"]]);
});

it("refuses what is gone, going, or follows a repository", () => {
  const unknown = subject.decide({ version: undefined, siblings: [] }, happened(VersionEdited, { version: "appv-1" }));
  expect(unknown).toMatchObject({ outcome: "refuse", reason: "VersionNotFound" });
  const going = version("draft");
  const metadata = { ...going.metadata, deletionTimestamp: LONG_AGO };
  expect(edit({}, { ...going, metadata })).toMatchObject({ reason: "BeingDeleted" });
  const followed = { ...going.metadata, labels: { "application.kubesphere.io/repo-id": "repo-1" } };
  expect(edit({}, { ...going, metadata: followed })).toMatchObject({ reason: "Immutable" });
});
