import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../../shared/errors.ts";
import { runCommand } from "./run-command.ts";

/** A program that Debian packages. */
export interface DebianTool {
  /** Name of the package and of its program. */
  readonly name: string;
  /** Where the package has the program. */
  readonly file: string;
  /** How to get it otherwise. */
  readonly otherwise: string;
}

/** Keeps the events, objects and bytes of the laptop. */
export const NATS_SERVER: DebianTool = {
  name: "nats-server",
  file: "usr/sbin/nats-server",
  otherwise:
    "Install it (Debian, Ubuntu: apt-get install nats-server; macOS: brew install nats-server) or set NATS_SERVER to its path",
};

/** The OCI registry that tests push charts to. */
export const DOCKER_REGISTRY: DebianTool = {
  name: "docker-registry",
  file: "usr/bin/docker-registry",
  otherwise: "Install it (Debian, Ubuntu: apt-get install docker-registry) or set DOCKER_REGISTRY to its path",
};

/** Takes a program out of Debian's package into `folder`, without root and without installing anything. */
export async function fetchDebianTool({ name, file, otherwise }: DebianTool, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const work = await mkdtemp(join(folder, `${name}-`));
  try {
    const unpacked = await download(name, work);
    return await place(join(unpacked, file), join(folder, name));
  } catch (error) {
    throw new Error(
      `${name} is missing and could not be taken from Debian's packages (${messageOf(error)}). ${otherwise}`,
    );
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function download(name: string, work: string): Promise<string> {
  const options = { cwd: work, timeoutMs: 300_000 };
  try {
    await runCommand("apt-get", ["download", name], options);
  } catch {
    // The machine's package lists are missing or old: fetch lists of our own, which needs no root.
    const own = await ownLists(work);
    await runCommand("apt-get", [...own, "update"], options);
    await runCommand("apt-get", [...own, "download", name], options);
  }
  const archive = (await readdir(work)).find((file) => file.endsWith(".deb"));
  if (archive === undefined) throw new Error("apt-get download left no package");
  const unpacked = join(work, "unpacked");
  await runCommand("dpkg-deb", ["-x", join(work, archive), unpacked], options);
  return unpacked;
}

async function ownLists(work: string): Promise<readonly string[]> {
  const [lists, cache] = [join(work, "lists"), join(work, "cache")];
  await Promise.all([lists, cache].map((path) => mkdir(join(path, "partial"), { recursive: true })));
  const settings = [`Dir::State::Lists=${lists}`, `Dir::Cache=${cache}`, "Debug::NoLocking=1", "APT::Sandbox::User="];
  return settings.flatMap((setting) => ["-o", setting]);
}

async function place(from: string, to: string): Promise<string> {
  const partial = `${from}.executable`;
  await copyFile(from, partial);
  await chmod(partial, 0o755);
  await rename(partial, to);
  return to;
}
