import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { messageOf } from "../../../shared/errors.ts";
import { MAX_PACKAGE_BYTES } from "../../../shared/lifecycle/uploaded-package.ts";
import { UsageError } from "../command.ts";
import type { Progress } from "../progress.ts";
import { bytes } from "../text.ts";

/** The package that a command is about. */
export const PACKAGE_ARGUMENT = {
  name: "FILE",
  description: "package as helm package makes it: chart-1.2.3.tgz",
} as const;

/** What to do where a package is refused. */
export const PACKAGE_HINT = "opx package validate FILE says more";

/** A package on its way. */
export interface PackageForm {
  readonly form: FormData;
  /** Tells how much of it is sent. */
  sent(count: number): void;
}

/** The package as a form that is read while it is sent. Throws `UsageError` for a file that can be none. */
export async function packageForm(file: string, progress: Progress): Promise<PackageForm> {
  const content = await contentOf(file);
  const total = content.size;
  const form = new FormData();
  form.set("package", content, basename(file));
  return {
    form,
    sent(count) {
      const share = Math.min(1, count / total);
      const bar = "#".repeat(Math.round(share * 20)).padEnd(20, ".");
      const rest = share === 1 ? "waiting for the store" : `${bytes(count)} of ${bytes(total)}`;
      progress.tell(`${file}: [${bar}] ${rest}`);
    },
  };
}

async function contentOf(file: string): Promise<Blob> {
  try {
    const found = await stat(file);
    if (!found.isFile()) throw new Error("this is no file");
    if (found.size === 0) throw new Error("the file is empty");
    if (found.size <= MAX_PACKAGE_BYTES) return await openAsBlob(file);
    throw new Error(`${bytes(found.size)} are too many; the store takes at most ${bytes(MAX_PACKAGE_BYTES)}`);
  } catch (error) {
    throw new UsageError(`${file}: ${messageOf(error)}`);
  }
}
