import type { Laptop } from "../laptop.ts";
import type { HelmAt } from "./chart-packages.ts";
import type { Kubectl } from "./kubectl.ts";
import type { Observer } from "./observer.ts";

/** What every step of the demo can use, and what earlier steps found out. */
export interface Story {
  readonly laptop: Laptop;
  readonly kubectl: Kubectl;
  readonly helm: HelmAt;
  readonly observer: Observer;
  /** Address of the repository that is added. */
  readonly repositoryUrl: string;
  /** Whether the user named a repository, from which the release is then taken. */
  readonly foreign: boolean;
  /** HelmApplicationVersion that is going to be released. */
  version: string;
}

/** One step: what it does, and the object to look at when it does not happen. */
export interface Step {
  readonly title: string;
  /** Does the step and waits until its result is there; says in a few words what was seen. */
  run(story: Story): Promise<string>;
  /** `kubectl get` arguments of the object that knows why the step did not happen. */
  readonly suspect: (story: Story) => readonly string[];
}

/** Names that the demo gives to its objects. */
export const DEMO = { repo: "demo", workspace: "demo", namespace: "demo", request: "demo", release: "web" } as const;
