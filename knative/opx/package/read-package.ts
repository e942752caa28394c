import type { Progress } from "../progress.ts";
import { readBase64 } from "../store/read-base64.ts";
import { bytes } from "../text.ts";

/** The package that a command is about. */
export const PACKAGE_ARGUMENT = {
  name: "FILE",
  description: "package as helm package makes it: chart-1.2.3.tgz",
} as const;

/** What to do where a package is refused. */
export const PACKAGE_HINT = "opx package validate FILE says more";

/** The store takes no more, so more is not read. */
const MAX_BYTES = 32 * 1024 * 1024;

/** The package in base64, as the API takes it. Throws `UsageError` for what can be none. */
export function readPackage(file: string): Promise<string> {
  return readBase64(file, MAX_BYTES);
}

/** Tells how much of an upload is under way. */
export function uploadProgress(file: string, progress: Progress): (sent: number, total: number) => void {
  return (sent, total) => {
    const share = total === 0 ? 1 : sent / total;
    const bar = "#".repeat(Math.round(share * 20)).padEnd(20, ".");
    const rest = sent === total ? "waiting for the store" : `${bytes(sent)} of ${bytes(total)}`;
    progress.tell(`${file}: [${bar}] ${rest}`);
  };
}
