import * as z from "zod";

const Maintainer = z.object({
  name: z.string().optional().describe("Name of a person or an organisation."),
  email: z.string().optional().describe("Address to write to."),
  url: z.string().optional().describe("Page of the maintainer."),
});

const Dependency = z.object({
  name: z.string().describe("Name of the chart that is needed."),
  version: z.string().optional().describe("Version or range of versions that will do."),
  repository: z.string().describe("Where the chart comes from; empty for one that is packed inside."),
  condition: z.string().optional().describe("Paths in the values that switch the dependency on or off."),
  tags: z.array(z.string()).optional().describe("Words by which dependencies are switched together."),
  enabled: z.boolean().optional().describe("Whether the dependency is used."),
  alias: z.string().optional().describe("Name under which the chart is used here."),
});

/** What a Chart.yaml says about a chart, field by field; shared by every kind that repeats it. */
export const CHART_METADATA = {
  name: z.string().optional().describe("Name of the chart."),
  version: z.string().optional().describe("Version of the chart."),
  appVersion: z.string().optional().describe("Version of the software that the chart installs."),
  description: z.string().optional().describe("What the chart installs, in one sentence."),
  home: z.string().optional().describe("Home page."),
  icon: z.string().optional().describe("Address of a picture, or id of an attachment."),
  apiVersion: z.string().optional().describe("Version of the chart format: v1 or v2."),
  kubeVersion: z.string().optional().describe("Versions of Kubernetes that the chart runs on."),
  type: z.string().optional().describe("application or library."),
  condition: z.string().optional().describe("Path in the values that switches the chart on or off as a dependency."),
  tags: z.string().optional().describe("Words, separated by commas, that switch the chart as a dependency."),
  sources: z.array(z.string()).optional().describe("Where the sources are."),
  keywords: z.array(z.string()).optional().describe("Words to find the chart by."),
  maintainers: z.array(Maintainer).optional().describe("Who looks after the chart."),
  annotations: z.record(z.string(), z.string()).optional().describe("Annotations of the chart."),
  deprecated: z.boolean().optional().describe("Whether the chart should no longer be used."),
  dependencies: z.array(Dependency).optional().describe("Charts that this one needs."),
};
