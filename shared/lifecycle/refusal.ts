import { refuse } from "../decision.ts";
import type { Event } from "../event.ts";
import { VersionActionRefused } from "../events/version.ts";
import { subjectOf } from "../resource.ts";
import { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import { LABEL } from "../resources/labels.ts";
import type { ActData } from "./act.ts";
import type { Action, VersionState } from "./states.ts";

/** What was refused once stays refused when the event comes again, whatever the version has become since. */
export function refusedAgain(version: HelmApplicationVersion, event: Event<ActData>, action: Action) {
  const known = version.status?.refusals?.find((each) => each.event === event.id && each.action === action);
  if (!known) return undefined;
  const { state, reason, message } = known;
  return refuse(reason, message, { announce: [refusalFact({ version, event }, { action, state, reason, message })] });
}

interface About {
  readonly version: HelmApplicationVersion | undefined;
  readonly event: Event<ActData>;
}

interface Told {
  readonly action: Action;
  readonly state: VersionState | null;
  readonly reason: string;
  readonly message: string;
}

/** The fact that an act was refused. */
export function refusalFact({ version, event }: About, told: Told) {
  const { version: name, message: said } = event.data;
  const app = version?.metadata.labels?.[LABEL.appId];
  return VersionActionRefused.of(subjectOf(HelmApplicationVersion, { name }), {
    version: name,
    ...told,
    ...(said === undefined ? {} : { said }),
    ...(app === undefined ? {} : { app }),
    ...(event.operator === undefined ? {} : { operator: event.operator }),
  });
}
