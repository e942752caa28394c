import type { Command } from "./command.ts";
import { completionCommand } from "./completion.ts";
import { repoAdd } from "./repo/add.ts";
import { repoEvents } from "./repo/events.ts";
import { repoList } from "./repo/list.ts";
import { repoRemove } from "./repo/remove.ts";
import { repoStatus } from "./repo/status.ts";
import { repoSync } from "./repo/sync.ts";

/** Every command: one import, one line per command. */
export const commands: readonly Command[] = [
  repoAdd,
  repoList,
  repoStatus,
  repoSync,
  repoEvents,
  repoRemove,
  completionCommand(() => commands),
];
