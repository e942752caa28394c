import { change } from "../../shared/decision.ts";
import { VersionActionRefused } from "../../shared/events/version.ts";
import { defineFunction } from "../../shared/function.ts";
import { refusalRecord } from "../../shared/lifecycle/history.ts";

/** What was refused is part of the history too. */
export default defineFunction({
  on: VersionActionRefused,
  summary: "Records a refused act in the history of the version.",
  emits: [],
  reads: [],
  writes: [],
  timeoutMs: 20_000,
  gather: async () => ({}),
  decide: (_world, event) => change({ record: refusalRecord(event) }),
});
