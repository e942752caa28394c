import { expect, it } from "vitest";
import { AppDeleted } from "../../shared/events/app.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { given, happened, LONG_AGO, NOW, writesOf } from "../../test/support/objects.ts";
import subject from "./function.ts";

const event = happened(AppDeleted, { app: "app-1" });
const app = given(HelmApplication, "app-1", { spec: { name: "web" } });
const copy = given(HelmApplication, "app-1-store", { spec: { name: "web" } });
const world = { app, copy, versions: [], now: NOW };

it("deletes an application and the store's copy once no version is left", () => {
  const decision = subject.decide(world, event);
  expect(writesOf(decision)).toEqual(["remove helmapplications/app-1-store", "remove helmapplications/app-1"]);
  expect(decision.announce?.[0]?.data).toEqual({ app: "app-1", state: null, latestVersion: "" });
  const leaving = given(HelmApplicationVersion, "appv-1", { metadata: { deletionTimestamp: LONG_AGO } });
  expect(subject.decide({ ...world, versions: [leaving] }, event).outcome).toBe("change");
});

it("keeps an application with versions, in the words that KubeSphere's clients know", () => {
  const versions = [given(HelmApplicationVersion, "appv-1")];
  expect(subject.decide({ ...world, versions }, event)).toMatchObject({
    outcome: "refuse",
    message: "app app-1 has some versions not deleted",
  });
});

it("takes an application that is gone for deleted", () => {
  expect(subject.decide({ ...world, app: undefined, copy: undefined }, event)).toMatchObject({
    outcome: "change",
    write: [],
  });
});

it("keeps what the store shows of an application, whose own versions it does not have", () => {
  const onlyCopy = { ...world, app: copy, copy: undefined };
  const decision = subject.decide(onlyCopy, { ...event, data: { app: "app-1-store" } });
  expect(decision).toMatchObject({ outcome: "refuse", reason: "Immutable" });
  expect(writesOf(decision)).toEqual([]);
});
