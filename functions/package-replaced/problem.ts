import type { DataOf } from "../../shared/event.ts";
import type { PackageReplaced } from "../../shared/events/package.ts";
import { isFromRepository, stateOf } from "../../shared/lifecycle/act.ts";
import type { World } from "./world.ts";

/** Why a package does not take the place of another. */
export interface Problem {
  readonly reason: string;
  readonly message: string;
}

type Data = DataOf<typeof PackageReplaced>;

/** The first thing that stands against a replacement: the version, then the bytes, then both together (KubeSphere §2.3). */
export function problemOf(world: World, data: Data): Problem | undefined {
  return versionProblem(world, data) ?? bytesProblem(world, data) ?? misfit(world);
}

function versionProblem({ version }: World, data: Data): Problem | undefined {
  if (!version) {
    const message = `helmapplicationversions.application.kubesphere.io "${data.version}" not found`;
    return { reason: "VersionNotFound", message };
  }
  const { name, deletionTimestamp } = version.metadata;
  if (isFromRepository(version)) return { reason: "Immutable", message: `version ${name} follows its repository` };
  if (deletionTimestamp !== undefined) return { reason: "BeingDeleted", message: `version ${name} is being deleted` };
  // A rejected version would do, but whoever rejected it did so for what it holds: cancelled or made anew, it is a draft.
  return stateOf(version) === "draft" ? undefined : { reason: "NotADraft", message: "action not permitted" };
}

function bytesProblem({ report }: World, { digest }: Data): Problem | undefined {
  if (report) return report.ok ? undefined : report;
  const message = `nothing was uploaded under ${digest}; upload the bytes first, then announce them`;
  return { reason: "UploadNotFound", message };
}

function misfit({ version, siblings, report }: World): Problem | undefined {
  if (!version || !report?.ok) return undefined;
  const { name, version: number } = report.chart;
  if (version.spec.name !== undefined && version.spec.name !== name) {
    const message = `chart name not match, the version is of ${version.spec.name}, the package of ${name}`;
    return { reason: "ChartNameMismatch", message };
  }
  const twin = siblings.find(
    ({ metadata, spec }) => metadata.name !== version.metadata.name && spec.version === number,
  );
  if (!twin) return undefined;
  const message = `${number} is the number of ${twin.metadata.name}; give the package another one`;
  return { reason: "VersionExists", message };
}
