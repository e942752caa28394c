import { expect, it } from "vitest";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import { given } from "../../test/support/objects.ts";
import type { Call } from "./call.ts";
import { historyOf } from "./history.ts";

const at = (minute: number) => `2026-05-04T12:0${minute}:00Z`;
const version = (name: string, audit: NonNullable<HelmApplicationVersion["status"]>["audit"] = []) =>
  given(HelmApplicationVersion, name, { metadata: { labels: { [LABEL.appId]: "app-1" } }, status: { audit } });
const accepted = (name: string, sequence: number, to: string | null) => ({
  ...{ outcome: "accepted", version: name, app: "app-1", from: "draft", to, operator: "ann" },
  audit: { time: at(sequence), sequence, event: `event-${sequence}` },
});

/** A call with these records in the history, and what is read of it. */
function world(records: readonly unknown[]) {
  const read: unknown[] = [];
  const history = {
    read: async (...asked: unknown[]) => {
      read.push(asked);
      return records;
    },
  };
  return { read, call: { ports: { history } } as unknown as Call };
}

it("joins what the stream keeps with what the object keeps, newest first, each entry once", async () => {
  const kept = [
    { state: "passed" as const, time: at(3), sequence: 3 },
    { state: "submitted" as const, time: at(2), sequence: 2 },
  ];
  const refused = { outcome: "refused", version: "appv-1", time: at(5), reason: "IllegalTransition" };
  const { call, read } = world([accepted("appv-1", 1, "draft"), accepted("appv-1", 2, "submitted"), refused]);
  const entries = await historyOf(call, [version("appv-1", kept)]);
  expect(entries.map(({ entry }) => [entry.sequence, entry.state, entry.operator])).toEqual([
    [3, "passed", undefined],
    [2, "submitted", undefined],
    [1, "draft", "ann"],
  ]);
  expect(read).toEqual([["app-1", "appv-1"]]);
});

it("shows both lives of a version that was deleted and made again", async () => {
  const first = accepted("appv-1", 1, "draft");
  const records = [{ ...first, audit: { ...first.audit, hash: "sha256:first" } }];
  const kept = [{ state: "draft" as const, time: at(4), sequence: 1, hash: "sha256:second" }];
  const entries = await historyOf(world(records).call, [version("appv-1", kept)]);
  expect(entries.map(({ entry }) => entry.hash)).toEqual(["sha256:second", "sha256:first"]);
});

it("keeps entries from before the store's time, which have no number", async () => {
  const { call } = world([accepted("appv-1", 1, "submitted")]);
  const old = [{ state: "draft" as const, time: at(0) }];
  const entries = await historyOf(call, [version("appv-1", old)]);
  expect(entries.map(({ entry }) => entry.state)).toEqual(["submitted", "draft"]);
});

it("reads the history of an application once, however many versions it has", async () => {
  const { call, read } = world([
    accepted("appv-2", 2, "active"),
    accepted("appv-1", 2, "draft"),
    accepted("gone", 9, null),
  ]);
  const entries = await historyOf(call, [version("appv-1"), version("appv-2")]);
  expect(entries.map((each) => each.version.metadata.name).sort()).toEqual(["appv-1", "appv-2"]);
  expect(read).toEqual([["app-1", undefined]]);
});
