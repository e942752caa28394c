import { expect, test } from "vitest";
import type { Event } from "../../../shared/event.ts";
import type { HandledRecord } from "../../../shared/host/handled-record.ts";
import { buildTimeline } from "./build-timeline.ts";
import { createPaint } from "./paint.ts";
import { renderTimeline } from "./render-timeline.ts";

const event = (id: string, type: string, subject: string): Event => ({
  specversion: "1.0",
  id,
  source: "/test",
  type,
  subject,
  data: {},
});

const record = (name: string, on: Event, rest: Partial<HandledRecord> = {}): HandledRecord => ({
  function: name,
  event: on,
  outcome: { kind: "done" },
  attempt: 1,
  durationMs: 12.4,
  wrote: [],
  announced: [],
  ...rest,
});

const lines = (records: readonly HandledRecord[]) => renderTimeline(buildTimeline(records), createPaint(false));
const repoPath = "/apis/g.io/v1/namespaces//helmrepos/demo";

test("events stand below their cause, facts say so, a written object's change stands below its writer", () => {
  const added = event("1", "dev.knative.apiserver.ref.add", repoPath);
  const requested = event("2", "io.openpitrix.repo.sync.requested", "helmrepos/demo");
  const synced = event("3", "io.openpitrix.repo.synced", "helmrepos/demo");
  const updated = event("4", "dev.knative.apiserver.ref.update", repoPath);
  const again = event("5", "io.openpitrix.repo.sync.requested", "helmrepos/demo");
  const idle = event("6", "dev.knative.apiserver.ref.update", repoPath);
  expect(
    lines([
      record("resource-changed", added, { announced: [requested] }),
      record("repo-sync-requested", requested, { outcome: { kind: "retry", reason: "Unavailable: down" } }),
      record("repo-sync-requested", requested, {
        attempt: 2,
        announced: [synced],
        wrote: ["create helmapplications/a", "replaceStatus helmrepos/demo"],
      }),
      record("resource-changed", updated, { announced: [again] }),
      record("resource-changed", idle),
      record("repo-sync-requested", again, { outcome: { kind: "refused", reason: "NotDue", message: "not due" } }),
    ]),
  ).toEqual([
    `dev.knative.apiserver.ref.add  ${repoPath}`,
    "  → resource-changed 12 ms",
    "  io.openpitrix.repo.sync.requested  helmrepos/demo",
    "    → repo-sync-requested 25 ms in 2 attempts  wrote create helmapplications/a, replaceStatus helmrepos/demo",
    "    io.openpitrix.repo.synced  helmrepos/demo  (fact)",
    `    dev.knative.apiserver.ref.update  ${repoPath}`,
    "      → resource-changed 12 ms",
    "      io.openpitrix.repo.sync.requested  helmrepos/demo",
    "        → repo-sync-requested 12 ms refused: NotDue (not due)",
    "(1 further changes of objects and ticks led to nothing)",
  ]);
});

test("many siblings and many writes are counted", () => {
  const root = event("0", "io.openpitrix.repo.sync.requested", "helmrepos/demo");
  const facts = Array.from({ length: 8 }, (_, i) => event(`f${i}`, "io.openpitrix.repo.chart.changed", `apps/${i}`));
  const wrote = Array.from({ length: 9 }, (_, i) => `create helmapplications/${i}`);
  const shown = lines([record("repo-sync-requested", root, { announced: facts, wrote })]);
  expect(shown).toHaveLength(8);
  expect(shown[1]).toContain("wrote 9 × create helmapplications");
  expect(shown.at(-1)).toBe("  … and 3 more io.openpitrix.repo.chart.changed");
});

test("an event that announces itself again is not its own cause", () => {
  const one = event("1", "io.a", "x");
  const two = event("2", "io.b", "x");
  expect(lines([record("f", one, { announced: [two] }), record("g", two, { announced: [one] })])).toHaveLength(4);
});
