import { messageOf } from "../../../shared/errors.ts";
import { buildTimeline } from "../timeline/build-timeline.ts";
import { renderTimeline } from "../timeline/render-timeline.ts";
import { helmList } from "./helm-list.ts";
import type { Screen } from "./screen.ts";
import { STEPS } from "./steps.ts";
import { DEMO, type Step, type Story } from "./story.ts";

/** Walks through the steps and shows what happened; false as soon as one step was not observed. */
export async function runDemo(story: Story, screen: Screen): Promise<boolean> {
  const failed = await walk(story, screen);
  // What the last step set off (status writes, changes of objects) belongs to the picture.
  const settled = failed ? true : await settle(story, screen);
  showTimeline(story, screen);
  await showObjects(story, screen);
  if (failed) screen.line(`\n${screen.paint.bad("stopped")} at: ${failed.title}`);
  return failed === undefined && settled;
}

async function walk(story: Story, screen: Screen): Promise<Step | undefined> {
  screen.heading("Steps");
  for (const step of STEPS) {
    const end = screen.begin(step.title);
    try {
      end(true, await step.run(story));
    } catch (error) {
      end(false, messageOf(error));
      for (const line of await evidence(story, step)) screen.line(`   ${line}`);
      return step;
    }
  }
  return undefined;
}

async function settle({ laptop }: Story, screen: Screen): Promise<boolean> {
  const end = screen.begin("everything that was set off is handled");
  try {
    await laptop.settled({ timeoutMs: 60_000 });
    end(true, "");
    return true;
  } catch (error) {
    end(false, messageOf(error));
    return false;
  }
}

/** Conditions and messages of the object that knows why a step did not happen. */
async function evidence(story: Story, step: Step): Promise<readonly string[]> {
  const suspect = step.suspect(story);
  try {
    const status = await story.kubectl.run(["get", ...suspect, "-o", "jsonpath={.status}{.items[*].status}"]);
    return [`kubectl get ${suspect.join(" ")} says: ${status === "" ? "no status yet" : status.slice(0, 2000)}`];
  } catch (error) {
    return [messageOf(error)];
  }
}

function showTimeline({ observer }: Story, screen: Screen): void {
  screen.heading("Timeline: every event below the one that caused it, who handled it, how long, what it wrote");
  for (const line of renderTimeline(buildTimeline(observer.records), screen.paint)) screen.line(line);
}

const SHOWN = [
  "helmrepos",
  "helmapplications",
  "helmapplicationversions",
  "helmpackages",
  "helmrequests",
  "helmreleases",
  "deployments",
];

/** Lines of a table that are shown before the rest is only counted. */
const MAX_ROWS = 15;

async function showObjects({ kubectl, helm, laptop }: Story, screen: Screen): Promise<void> {
  const show = async (title: string, text: Promise<string>) => {
    const printed = (await text.catch(messageOf)).trimEnd();
    const lines = printed === "" ? ["(none)"] : printed.split("\n");
    screen.heading(`$ ${title}`);
    for (const line of lines.slice(0, MAX_ROWS)) screen.line(line);
    if (lines.length > MAX_ROWS) screen.line(screen.paint.faint(`… and ${lines.length - MAX_ROWS} more`));
  };
  for (const kind of SHOWN) await show(`kubectl get ${kind} -A`, kubectl.run(["get", kind, "-A"]));
  await show(`helm list -n ${DEMO.namespace}`, helmList(helm, laptop.kubeconfigPath));
}
