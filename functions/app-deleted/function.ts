import { originalApp } from "../../shared/charts/ids.ts";
import { change, type Decision } from "../../shared/decision.ts";
import { AppActionRefused, AppChanged, AppDeleted } from "../../shared/events/app.ts";
import { defineFunction } from "../../shared/function.ts";
import { gatherApp, refuseApp } from "../../shared/lifecycle/app-act.ts";
import { removed } from "../../shared/lifecycle/finalizers.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { STORE_SUFFIX } from "../../shared/resources/labels.ts";

/** An application goes once its versions are gone, and the store's copy with it (KubeSphere §2.3, §2.9). */
export default defineFunction({
  on: AppDeleted,
  summary: "Deletes an application that has no versions left, with the store's copy of it.",
  emits: [AppChanged, AppActionRefused],
  reads: [HelmApplication, HelmApplicationVersion],
  writes: [HelmApplication],
  uses: ["clock"],
  timeoutMs: 20_000,
  gather: async (event, ports) => ({
    ...(await gatherApp(event, ports)),
    copy: await ports.kube.get(HelmApplication, `${event.data.app}${STORE_SUFFIX}`),
  }),
  decide: (
    { app, copy, versions },
    event,
  ): Decision<typeof AppChanged.type | typeof AppActionRefused.type, "HelmApplication"> => {
    const name = event.data.app;
    const original = originalApp(name);
    if (app && original !== name) {
      const why = `${name} is what the store shows of ${original}: suspend ${original}, or delete it`;
      return refuseApp("delete", event, { reason: "Immutable", why });
    }
    // Deleted with kubectl it is going, and its versions follow it.
    const going = app?.metadata.deletionTimestamp !== undefined;
    if (!going && versions.some(({ metadata }) => metadata.deletionTimestamp === undefined)) {
      // Word for word what KubeSphere's clients look for (§6.4).
      return refuseApp("delete", event, { reason: "HasVersions", why: `app ${name} has some versions not deleted` });
    }
    const gone = { app: name, state: null, latestVersion: "" };
    return change({
      write: [copy, app].flatMap((each) => (each ? removed(HelmApplication, each) : [])),
      announce: [AppChanged.of(subjectOf(HelmApplication, { name }), gone)],
    });
  },
});
