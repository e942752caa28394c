import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import * as z from "zod";
import { Failure, messageOf } from "../../../shared/errors.ts";
import { defineCommand } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import type { StoreApi } from "../store/api.ts";
import { versionPath } from "../store/paths.ts";
import { Version } from "../store/shapes.ts";
import { bytes } from "../text.ts";
import { NO_VERSION_HINT, VERSION_ARGUMENT } from "../version/argument.ts";

const Downloaded = z.looseObject({ package: z.base64() });

/** opx package download */
export const packageDownload = defineCommand({
  name: "package download",
  summary: "Download the package of a version.",
  arguments: [VERSION_ARGUMENT],
  options: {
    output: { type: "string", value: "FILE", description: "where it is written (default: chart-version.tgz, here)" },
    force: { type: "boolean", description: "write over a file that exists" },
    ...STORE_OPTIONS,
  },
  examples: ["package download appv-x1y2z3", "package download appv-x1y2z3 --output web.tgz"],
  async run({ arguments: [version = ""], options }, context) {
    const store = await context.store(options);
    const path = `${versionPath(version)}/package`;
    const { package: text } = await store.call({ method: "GET", path, hint: NO_VERSION_HINT }, Downloaded);
    const content = Buffer.from(text, "base64");
    const file = options.output ?? (await fileName(store, version));
    await write(file, content, options.force);
    const json = { version_id: version, file, bytes: content.length };
    return { json, lines: [`${file}: ${bytes(content.length)}`] };
  },
});

/** A name that the store gives leads into no other folder. */
async function fileName(store: StoreApi, version: string): Promise<string> {
  const path = versionPath(version);
  const { package_name } = await store.call({ method: "GET", path, hint: NO_VERSION_HINT }, Version);
  const name = basename(package_name.replaceAll("\\", "/"));
  return /^[\w][\w.+-]*\.tgz$/.test(name) ? name : `${basename(version)}.tgz`;
}

async function write(file: string, content: Buffer, force: boolean): Promise<void> {
  try {
    await writeFile(file, content, { flag: force ? "w" : "wx" });
  } catch (error) {
    const exists = error instanceof Error && "code" in error && error.code === "EEXIST";
    const why = exists ? `${file} exists; give --output FILE or --force` : `${file}: ${messageOf(error)}`;
    throw new Failure("Invalid", why, { cause: error });
  }
}
