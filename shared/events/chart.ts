import * as z from "zod";
import { defineEvent } from "../event.ts";

const Chart = {
  repo: z.string().min(1).max(253).describe("HelmRepo name."),
  chart: z.string().min(1).max(512).describe("Name of the chart."),
  version: z.string().min(1).max(253).describe("Version of the chart as the store calls it: appv-…"),
};
const chart = { repo: "repo-300m50zn91nwz5", chart: "podinfo", version: "appv-n04mj714o54k56" };
const digest = `sha256:${"ab".repeat(32)}`;

/** Somebody wants to look into a chart of a repository. */
export const ChartRequested = defineEvent({
  type: "chart.requested",
  summary: "The package of a repository's chart should be fetched and kept, so that people can look into it.",
  data: z.object(Chart),
  example: chart,
});

/** The package of a repository's chart is at hand. */
export const ChartFetched = defineEvent({
  type: "chart.fetched",
  summary: "The package of a repository's chart is what it was listed with, and is kept under its digest for a while.",
  data: z.object({ ...Chart, digest: z.string().max(128).describe("Digest of the package, sha256:<hex>.") }),
  example: { ...chart, digest },
});

/** The package of a repository's chart cannot be had. */
export const ChartRefused = defineEvent({
  type: "chart.refused",
  summary: "The package of a repository's chart was not found, or is not what it should be.",
  data: z.object({
    ...Chart,
    reason: z.string().max(64).describe("One CamelCase word for programs."),
    message: z.string().max(1024).describe("One sentence for people."),
  }),
  example: { ...chart, reason: "DigestMismatch", message: `the package has another digest than ${digest}` },
});
