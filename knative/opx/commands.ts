import { appActs } from "./app/acts.ts";
import { appAudits } from "./app/audits.ts";
import { appCreate } from "./app/create.ts";
import { appDelete } from "./app/delete.ts";
import { appEdit } from "./app/edit.ts";
import { appGet } from "./app/get.ts";
import { appList } from "./app/list.ts";
import { search } from "./app/search.ts";
import { statistics } from "./app/statistics.ts";
import { categoryCreate } from "./category/create.ts";
import { categoryDelete } from "./category/delete.ts";
import { categoryEdit } from "./category/edit.ts";
import { categoryList } from "./category/list.ts";
import type { Command } from "./command.ts";
import { completionCommand } from "./completion.ts";
import { dlqList } from "./dlq/list.ts";
import { dlqRemove } from "./dlq/remove.ts";
import { dlqReplay } from "./dlq/replay.ts";
import { dlqShow } from "./dlq/show.ts";
import { eventsCommand } from "./events/events.ts";
import { outcomeCommand } from "./events/outcome.ts";
import { packageDownload } from "./package/download.ts";
import { packagePush } from "./package/push.ts";
import { packageValidate } from "./package/validate.ts";
import { repoAdd } from "./repo/add.ts";
import { repoEvents } from "./repo/events.ts";
import { repoList } from "./repo/list.ts";
import { repoRemove } from "./repo/remove.ts";
import { repoStatus } from "./repo/status.ts";
import { repoSync } from "./repo/sync.ts";
import { reviewActs } from "./review/acts.ts";
import { reviewList } from "./review/list.ts";
import { versionActs } from "./version/acts.ts";
import { versionAudits } from "./version/audits.ts";
import { versionDelete } from "./version/delete.ts";
import { versionEdit } from "./version/edit.ts";
import { versionFiles } from "./version/files.ts";
import { versionGet } from "./version/get.ts";
import { versionList } from "./version/list.ts";

/** Every command: one import, one line per command. */
export const commands: readonly Command[] = [
  repoAdd,
  repoList,
  repoStatus,
  repoSync,
  repoEvents,
  repoRemove,
  packagePush,
  packageValidate,
  packageDownload,
  versionList,
  versionGet,
  versionAudits,
  versionFiles,
  versionEdit,
  ...versionActs,
  versionDelete,
  reviewList,
  ...reviewActs,
  search,
  statistics,
  appList,
  appGet,
  appAudits,
  appCreate,
  appEdit,
  ...appActs,
  appDelete,
  categoryList,
  categoryCreate,
  categoryEdit,
  categoryDelete,
  outcomeCommand,
  eventsCommand,
  dlqList,
  dlqShow,
  dlqReplay,
  dlqRemove,
  completionCommand(() => commands),
];
