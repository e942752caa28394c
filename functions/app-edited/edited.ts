import type { EventOf } from "../../shared/event.ts";
import type { AppEdited } from "../../shared/events/app.ts";
import { remembering } from "../../shared/lifecycle/remembered-acts.ts";
import { cutText } from "../../shared/lifecycle/version-object.ts";
import { present } from "../../shared/present.ts";
import type { HelmApplication } from "../../shared/resources/helm-application.ts";
import { LABEL, STORE_REPO, UNCATEGORIZED } from "../../shared/resources/labels.ts";

type Edit = EventOf<typeof AppEdited>;

/** The application as an edit leaves it; what the edit does not name stays. */
export function edited(app: HelmApplication, event: Edit): HelmApplication {
  const { name, description, abstraction, home, icon } = event.data;
  const texts = present({
    name: name?.trim(),
    description: description === undefined ? undefined : cutText(description),
    abstraction: abstraction === undefined ? undefined : cutText(abstraction),
    appHome: home,
    icon,
  });
  return {
    ...app,
    metadata: {
      ...app.metadata,
      labels: labelsOf(app, event.data.category),
      annotations: remembering(app.metadata, event),
    },
    spec: { ...app.spec, ...texts, ...screenshotsOf(app, event) },
  };
}

/** "" clears; what is in the store is in the category of all that have none then (KubeSphere §2.10). */
function labelsOf({ metadata: { labels = {} } }: HelmApplication, category: string | undefined) {
  if (category === undefined) return labels;
  if (category !== "") return { ...labels, [LABEL.categoryId]: category };
  if (labels[LABEL.repoId] === STORE_REPO) return { ...labels, [LABEL.categoryId]: UNCATEGORIZED };
  const { [LABEL.categoryId]: _, ...rest } = labels;
  return rest;
}

function screenshotsOf({ spec }: HelmApplication, { data }: Edit) {
  const { addScreenshot, removeScreenshot } = data;
  if (addScreenshot === undefined && removeScreenshot === undefined) return {};
  const kept = (spec.attachments ?? []).filter((_, place) => place !== removeScreenshot);
  return { attachments: [...kept, ...(addScreenshot === undefined ? [] : [addScreenshot])] };
}
